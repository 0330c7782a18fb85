package org.stage.api.workload;

import java.util.List;
import java.util.Locale;

/**
 * One node of an execution graph: what one rank does once. The graph is the same for every rank of
 * a class, so groups and peers are relative to the rank.
 */
public sealed interface Node {
  /** What every node has. */
  NodeHeader header();

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

  /** Where it stands in the model and the step. */
  default Position position() {
    return header().position();
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
   * A kernel on the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param operator what it computes: an operator kind's {@link
   *     org.stage.api.graph.OperatorKind#text() text}, {@code adam} or {@code sgd}
   * @param shape the matrix products in it
   * @param cost operations, and bytes moved
   * @param inputs its operands on this rank, in the operator's order; empty if not known. Where one
   *     tensor is two operands it is there twice, and a gradient to which the kernel adds its
   *     result is none
   * @param outputs its results on this rank, likewise
   */
  record Compute(
      NodeHeader header,
      String operator,
      MatrixShape shape,
      Cost cost,
      List<TensorType> inputs,
      List<TensorType> outputs)
      implements Node {
    /** Copies the lists. */
    public Compute {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }

    /** A kernel of whose operands nothing is known. */
    public Compute(
        NodeHeader header,
        String operator,
        MatrixShape shape,
        long flops,
        long otherFlops,
        long bytesRead,
        long bytesWritten) {
      this(
          header,
          operator,
          shape,
          new Cost(flops, otherFlops, bytesRead, bytesWritten),
          List.of(),
          List.of());
    }

    /** FLOPs of matrix and attention products. */
    public long flops() {
      return cost.flops();
    }

    /** Other operations. */
    public long otherFlops() {
      return cost.otherFlops();
    }

    /** {@link Cost#bytesRead Bytes} that it reads on this rank. */
    public long bytesRead() {
      return cost.bytesRead();
    }

    /** {@link Cost#bytesWritten Bytes} that it writes on this rank. */
    public long bytesWritten() {
      return cost.bytesWritten();
    }

    /**
     * What a kernel takes of the device.
     *
     * @param flops FLOPs of matrix and attention products
     * @param otherFlops other operations
     * @param bytesRead bytes of its inputs, and of what it adds its result to
     * @param bytesWritten bytes of its outputs
     */
    public record Cost(long flops, long otherFlops, long bytesRead, long bytesWritten) {}
  }

  /**
   * Work of the host, such as an operator of a framework before it launches its kernels. It takes
   * what its {@link Details#durationNs() duration} says, and nothing of the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param operator what it does, as the trace calls it
   */
  record HostCompute(NodeHeader header, String operator) implements Node {}

  /**
   * Brings data from memory outside the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param bytes bytes moved
   */
  record MemoryLoad(NodeHeader header, long bytes) implements Node {}

  /**
   * Takes data to memory outside the device.
   *
   * @param header name, phase, dependencies, tensors
   * @param bytes bytes moved
   */
  record MemoryStore(NodeHeader header, long bytes) implements Node {}

  /**
   * Does nothing and takes no time: joins dependencies, or only carries attributes. Comes from
   * foreign traces; what a format has no word for may be left out if those that depend on it then
   * depend on what it depends on.
   *
   * @param header name, dependencies, attributes
   * @param kind the format's word for it: {@code METADATA_NODE}
   */
  record Marker(NodeHeader header, String kind) implements Node {}

  /**
   * A collective; every member of the group issues it at the same place of its order.
   *
   * @param header name, phase, dependencies, tensors
   * @param kind which collective
   * @param elements elements of this rank's input: of an all-gather its shard, of the others the
   *     whole
   * @param type data type of an element
   * @param group its members
   * @param lane its communicator
   */
  record Collective(
      NodeHeader header, Kind kind, long elements, DataType type, Group group, Lane lane)
      implements Node {
    /** On the lane of its group. */
    public Collective(NodeHeader header, Kind kind, long elements, DataType type, Group group) {
      this(header, kind, elements, type, group, Lane.of(group));
    }

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
   * @param peer the other end
   * @param elements elements sent
   * @param type data type of an element
   * @param tag the same on both ends; unique for each pair of source and destination
   * @param lane its communicator
   */
  record Send(NodeHeader header, Peer peer, long elements, DataType type, int tag, Lane lane)
      implements Node {
    /** To the rank {@code offset} steps along {@code axis}, modulo the degree. */
    public Send(NodeHeader header, String axis, int offset, long elements, DataType type, int tag) {
      this(header, new Peer.Along(axis, offset), elements, type, tag);
    }

    /** On the lane of the peer. */
    public Send(NodeHeader header, Peer peer, long elements, DataType type, int tag) {
      this(header, peer, elements, type, tag, Lane.of(peer));
    }

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
   * @param peer the other end
   * @param elements elements received
   * @param type data type of an element
   * @param tag the same on both ends
   * @param lane its communicator
   */
  record Recv(NodeHeader header, Peer peer, long elements, DataType type, int tag, Lane lane)
      implements Node {
    /** From the rank {@code offset} steps along {@code axis}, modulo the degree. */
    public Recv(NodeHeader header, String axis, int offset, long elements, DataType type, int tag) {
      this(header, new Peer.Along(axis, offset), elements, type, tag);
    }

    /** On the lane of the peer. */
    public Recv(NodeHeader header, Peer peer, long elements, DataType type, int tag) {
      this(header, peer, elements, type, tag, Lane.of(peer));
    }

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
