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

  /** What is known of it beyond what it does. */
  default Details details() {
    return header().details();
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
   * @param details measured times, and what a foreign trace says; {@link Details#NONE} of a node
   *     that was synthesized
   */
  record Header(
      int id,
      String name,
      Phase phase,
      Ids dataDeps,
      Ids controlDeps,
      Ids reads,
      Ids writes,
      Details details) {
    /** Without details. */
    public Header(
        int id, String name, Phase phase, Ids dataDeps, Ids controlDeps, Ids reads, Ids writes) {
      this(id, name, phase, dataDeps, controlDeps, reads, writes, Details.NONE);
    }
  }

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
   * Work of the host, such as an operator of a framework before it launches its kernels. It takes
   * what its {@link Details#durationNs() duration} says, and nothing of the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param operator what it does, as the trace calls it
   */
  record HostCompute(Header header, String operator) implements Node {}

  /**
   * Brings data from memory outside the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param bytes bytes moved
   */
  record MemoryLoad(Header header, long bytes) implements Node {}

  /**
   * Takes data to memory outside the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param bytes bytes moved
   */
  record MemoryStore(Header header, long bytes) implements Node {}

  /**
   * Does nothing and takes no time: joins dependencies, or only carries attributes. Comes from
   * foreign traces; what a format has no word for may be left out if those that depend on it then
   * depend on what it depends on.
   *
   * @param header name, dependencies, attributes
   * @param kind the format's word for it: {@code METADATA_NODE}
   */
  record Marker(Header header, String kind) implements Node {}

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
      return type.bytes(elements);
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
      ALL_TO_ALL,
      /** Sum of all inputs on one member, which only foreign traces have, as all that follow. */
      REDUCE,
      /** Concatenation of all inputs on one member. */
      GATHER,
      /** One part of one member's input on each. */
      SCATTER,
      /** One member's input on each. */
      BROADCAST,
      /** Moves nothing: each waits for all. */
      BARRIER;

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
      return type.bytes(elements);
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
      return type.bytes(elements);
    }
  }
}
