package org.stage.api.profile;

import java.util.List;
import java.util.Objects;
import org.stage.api.workload.MatrixShape;

/**
 * One operator as a profile shows it: every run of the same work on one device, with how long each
 * took. Two runs are the same work if all components but the durations are equal.
 *
 * @param kind what sort of work it is
 * @param name as the profile calls it: {@code aten::mm}, {@code ncclDevKernel_AllReduce_Sum_bf16}
 * @param shape of a {@link Kind#COMPUTE} the matrix products in it, on this rank; {@link
 *     MatrixShape#NONE} if it has none or the profile does not say
 * @param dataType the type of an element as {@link org.stage.api.workload.DataType#text()} writes
 *     it; empty if the profile does not say
 * @param bytes of communication the bytes of this rank's input (of an all-gather its shard), of a
 *     copy the bytes copied; 0 of computation, and if the profile does not say
 * @param groupSize of communication the ranks that take part; 1 of other work, 0 if the profile
 *     does not say
 * @param durationsNs how long each run took on the device, nanoseconds, in order of time; at least
 *     one
 */
public record MeasuredOperator(
    Kind kind,
    String name,
    MatrixShape shape,
    String dataType,
    long bytes,
    int groupSize,
    List<Long> durationsNs) {

  /** Sorts of work. */
  public enum Kind {
    /** A kernel that computes. */
    COMPUTE,
    /** A kernel or copy engine that moves bytes on one device, or between it and the host. */
    COPY,
    /** An all-reduce. */
    ALL_REDUCE,
    /** An all-gather. */
    ALL_GATHER,
    /** A reduce-scatter. */
    REDUCE_SCATTER,
    /** An all-to-all. */
    ALL_TO_ALL,
    /** One end of a transfer between two ranks. */
    POINT_TO_POINT
  }

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no duration, one is negative, or a size is
   */
  public MeasuredOperator {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(shape);
    Objects.requireNonNull(dataType);
    durationsNs = List.copyOf(durationsNs);
    if (durationsNs.isEmpty() || durationsNs.stream().anyMatch(duration -> duration < 0)) {
      throw new IllegalArgumentException(name + " has the durations " + durationsNs);
    }
    if (bytes < 0 || groupSize < 0) {
      throw new IllegalArgumentException(
          name + " has " + bytes + " bytes and a group of " + groupSize);
    }
  }

  /** A kernel that computes. */
  public static MeasuredOperator compute(
      String name, MatrixShape shape, String dataType, List<Long> durationsNs) {
    return new MeasuredOperator(Kind.COMPUTE, name, shape, dataType, 0, 1, durationsNs);
  }

  /** A collective or a transfer. */
  public static MeasuredOperator communication(
      Kind kind, String name, String dataType, long bytes, int groupSize, List<Long> durationsNs) {
    return new MeasuredOperator(
        kind, name, MatrixShape.NONE, dataType, bytes, groupSize, durationsNs);
  }
}
