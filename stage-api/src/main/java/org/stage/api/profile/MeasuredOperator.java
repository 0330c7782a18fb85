package org.stage.api.profile;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.stage.api.workload.Phase;

/**
 * One operator as a profile shows it: every run of the same work on one device, with how long each
 * took. A run is one call of the operator, whose time is that of all its kernels together (where
 * they overlap, counted once); what no operator owns is a run a kernel, and so is communication.
 *
 * @param work what ran
 * @param runs those whose time on the device is known, in order of time
 * @param untimed runs of which the profile shows the call only
 */
public record MeasuredOperator(OperatorWork work, Runs runs, long untimed) {

  /** Sorts of work. */
  public enum Kind {
    /** Products of matrices. */
    GEMM,
    /** Attention as one operator. */
    ATTENTION,
    /** Normalisation of layers, rows or batches. */
    NORM,
    /** Look-ups in a table of embeddings, and their gradient. */
    EMBEDDING,
    /** Convolutions. */
    CONVOLUTION,
    /** Update of parameters. */
    OPTIMIZER,
    /** Any other computation. */
    ELEMENTWISE,
    /** A copy on one device, or between it and the host. */
    COPY,
    /** Memory filled with a value. */
    FILL,
    /** An all-reduce. */
    ALL_REDUCE,
    /** An all-gather. */
    ALL_GATHER,
    /** A reduce-scatter. */
    REDUCE_SCATTER,
    /** An all-to-all, even or not. */
    ALL_TO_ALL,
    /** A broadcast. */
    BROADCAST,
    /** A reduction to one rank. */
    REDUCE,
    /** The sending end of a transfer between two ranks. */
    SEND,
    /** The receiving end of a transfer between two ranks. */
    RECV,
    /** Transfers between ranks of which the profile does not tell what they are. */
    SEND_RECV,
    /** A barrier. */
    BARRIER,
    /** A kernel that communicates without a communication library. */
    CUSTOM_COMMUNICATION,
    /** Communication of a sort that the profile does not tell. */
    OTHER_COMMUNICATION;

    /** Whether several ranks take part, so that a run may hold waiting for the others. */
    public boolean isCommunication() {
      return compareTo(ALL_REDUCE) >= 0;
    }

    /** The name in files: {@code all_reduce}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if there is no run at all, timed or untimed
   */
  public MeasuredOperator {
    Objects.requireNonNull(work);
    if (untimed < 0 || untimed + runs.size() == 0) {
      throw new IllegalArgumentException(
          work.name() + " has " + runs + " and " + untimed + " untimed");
    }
  }

  /** {@link OperatorWork#kind} of the work. */
  public Kind kind() {
    return work.kind();
  }

  /** {@link OperatorWork#name} of the work. */
  public String name() {
    return work.name();
  }

  /** {@link OperatorWork#module} of the work. */
  public String module() {
    return work.module();
  }

  /** {@link OperatorWork#phase} of the work. */
  public Optional<Phase> phase() {
    return work.phase();
  }

  /** {@link OperatorWork#shape} of the work. */
  public OperatorShape shape() {
    return work.shape();
  }

  /** {@link OperatorWork#dataType} of the work. */
  public String dataType() {
    return work.dataType();
  }

  /** {@link OperatorWork#transfer} of the work. */
  public Transfer transfer() {
    return work.transfer();
  }

  /** How often it ran, timed or not. */
  public long count() {
    return runs.size() + untimed;
  }
}
