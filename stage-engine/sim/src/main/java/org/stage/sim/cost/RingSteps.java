package org.stage.sim.cost;

import org.stage.api.plugin.NodeKind;

/**
 * What the ring algorithm of a communication sends: a number of steps, one after the other, in each
 * of which a rank sends one chunk to its neighbour and receives another.
 *
 * <p>Of {@code n} members, a reduce-scatter or an all-to-all takes {@code n-1} steps of one of
 * {@code n} parts of the input; an all-gather {@code n-1} steps of the whole input, which is a
 * shard; an all-reduce is a reduce-scatter and the all-gather of its result. A message is one step.
 *
 * <p>Sources: Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations
 * in MPICH, IJHPCA 19(1), 2005; the bus bandwidths in PERFORMANCE.md of NVIDIA's nccl-tests.
 *
 * @param steps one after the other
 * @param parts into how many chunks an input is cut
 */
public record RingSteps(long steps, int parts) {
  /**
   * The steps of a communication.
   *
   * @param members of its group
   * @throws IllegalArgumentException if what {@code kind} names does not use the network
   */
  public static RingSteps of(NodeKind kind, int members) {
    long others = members - 1L;
    return switch (kind) {
      case ALL_REDUCE -> new RingSteps(2 * others, members);
      case ALL_GATHER -> new RingSteps(others, 1);
      case REDUCE_SCATTER, ALL_TO_ALL, REDUCE, GATHER, SCATTER, BROADCAST, BARRIER ->
          new RingSteps(others, members);
      case SEND, RECV -> new RingSteps(1, 1);
      default -> throw new IllegalArgumentException(kind + " does not use the network");
    };
  }

  /** Bytes that a rank sends in a step, of an input of so many bytes. */
  public double chunk(double bytes) {
    return bytes / parts;
  }

  /** Bytes that a rank's link carries out in all steps together. */
  public double wireBytes(double bytes) {
    return (double) steps / parts * bytes;
  }
}
