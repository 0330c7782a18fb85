package org.stage.api.workload;

import java.util.Locale;

/**
 * One node of an execution graph: what one rank does once. The graph is the same for every rank of
 * a class, so groups and peers are relative to the rank.
 */
public sealed interface Node {
  /** What every node has. */
  Header header();

  /** Stable id: the index in {@link ExecutionGraph#nodes()}. Every dependency has a lower one. */
  default int id() {
    return header().id();
  }

  /** Hierarchical name: {@code mb3.layers.17.mlp.up}. */
  default String name() {
    return header().name();
  }

  /** The part of the step. */
  default Phase phase() {
    return header().phase();
  }

  /** Nodes whose results this node uses. */
  default Ids dataDeps() {
    return header().dataDeps();
  }

  /** Nodes that must be done first for the schedule's sake. */
  default Ids controlDeps() {
    return header().controlDeps();
  }

  /**
   * What every node has.
   *
   * @param id the index in the graph
   * @param name hierarchical name
   * @param phase the part of the step
   * @param dataDeps nodes whose results are used; lower ids
   * @param controlDeps nodes that come first for the schedule's sake; lower ids
   * @param reads tensors read, indices into {@link ExecutionGraph#tensors()}
   * @param writes tensors written, likewise; each tensor has one writer
   */
  record Header(
      int id, String name, Phase phase, Ids dataDeps, Ids controlDeps, Ids reads, Ids writes) {}

  /**
   * A kernel on the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param operator what it computes: an operator kind's {@link
   *     org.stage.api.graph.OperatorKind#text() text}, {@code adam} or {@code sgd}
   * @param shape the matrix products in it
   * @param flops FLOPs of matrix and attention products
   * @param otherFlops other operations
   * @param bytesRead bytes of its inputs on this rank
   * @param bytesWritten bytes of its outputs on this rank
   */
  record Compute(
      Header header,
      String operator,
      MatrixShape shape,
      long flops,
      long otherFlops,
      long bytesRead,
      long bytesWritten)
      implements Node {}

  /**
   * A collective; every member of the group issues it at the same place of its order.
   *
   * @param header name, phase, dependencies, tensors
   * @param kind which collective
   * @param elements elements of this rank's input: of an all-gather its shard, of the others the
   *     whole
   * @param type data type of an element
   * @param group its members
   */
  record Collective(Header header, Kind kind, long elements, DataType type, Group group)
      implements Node {
    /**
     * Bytes of this rank's input.
     *
     * @throws ArithmeticException if they do not fit 64 bits
     */
    public long bytes() {
      return Math.multiplyExact(elements, (long) type.bytes());
    }

    /** Kinds of collectives. */
    public enum Kind {
      /** Sum (or maximum) of all inputs on every member. */
      ALL_REDUCE,
      /** Concatenation of all inputs on every member. */
      ALL_GATHER,
      /** Sum of all inputs, one part of it on each member. */
      REDUCE_SCATTER,
      /** Each member sends one part of its input to each other. */
      ALL_TO_ALL;

      /** The name in files: {@code all-reduce}. */
      public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }
  }

  /**
   * Sends a tensor to another rank. May block until the receive is posted.
   *
   * @param header name, phase, dependencies, tensors
   * @param axis the mesh axis along which the peer stands
   * @param offset steps along it, modulo the degree
   * @param elements elements sent
   * @param type data type of an element
   * @param tag the same on both ends; unique for each pair of source and destination
   */
  record Send(Header header, String axis, int offset, long elements, DataType type, int tag)
      implements Node {
    /**
     * Bytes sent.
     *
     * @throws ArithmeticException if they do not fit 64 bits
     */
    public long bytes() {
      return Math.multiplyExact(elements, (long) type.bytes());
    }
  }

  /**
   * Receives a tensor. Stands outside the order of communication: it is posted as soon as the
   * compute node that frees its buffer is done.
   *
   * @param header name, phase, dependencies, tensors
   * @param axis the mesh axis along which the peer stands
   * @param offset steps along it to the sender, modulo the degree
   * @param elements elements received
   * @param type data type of an element
   * @param tag the same on both ends
   */
  record Recv(Header header, String axis, int offset, long elements, DataType type, int tag)
      implements Node {
    /**
     * Bytes received.
     *
     * @throws ArithmeticException if they do not fit 64 bits
     */
    public long bytes() {
      return Math.multiplyExact(elements, (long) type.bytes());
    }
  }
}
