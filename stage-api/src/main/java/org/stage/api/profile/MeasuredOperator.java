package org.stage.api.profile;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.stage.api.workload.Phase;

/**
 * One operator as a profile shows it: every run of the same work on one device, with how long each
 * took. Two runs are the same work if all components but {@code runs} and {@code untimed} are
 * equal. A run is one call of the operator, whose time is that of all its kernels together (where
 * they overlap, counted once); what no operator owns is a run a kernel, and so is communication.
 *
 * @param kind what sort of work it is
 * @param name as the profile calls it: {@code aten::mm}, or a kernel's name where no operator is
 *     known
 * @param module the module in which it was called, outermost first, joined by dots, with names as
 *     the profile gives them; empty if it does not
 * @param phase the part of the step; empty if the profile does not tell
 * @param shape its sizes
 * @param dataType the type of an element: as {@link org.stage.api.workload.DataType#text()} writes
 *     it if there is such a type, else as the profile calls it; empty if it does not say
 * @param transfer of communication and copies what is moved; else {@link Transfer#NONE}
 * @param runs those whose time on the device is known, in order of time
 * @param untimed runs of which the profile shows the call only
 */
public record MeasuredOperator(
    Kind kind,
    String name,
    String module,
    Optional<Phase> phase,
    OperatorShape shape,
    String dataType,
    Transfer transfer,
    Runs runs,
    long untimed) {

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
    Objects.requireNonNull(kind);
    Objects.requireNonNull(name);
    Objects.requireNonNull(module);
    Objects.requireNonNull(phase);
    Objects.requireNonNull(shape);
    Objects.requireNonNull(dataType);
    Objects.requireNonNull(transfer);
    if (untimed < 0 || untimed + runs.size() == 0) {
      throw new IllegalArgumentException(name + " has " + runs + " and " + untimed + " untimed");
    }
  }

  /** How often it ran, timed or not. */
  public long count() {
    return runs.size() + untimed;
  }
}
