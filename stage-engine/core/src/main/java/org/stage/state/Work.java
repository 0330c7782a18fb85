package org.stage.state;

import java.util.List;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;

/** What a device does at once, with its numbers: all that counting needs to know of an action. */
public sealed interface Work {
  /**
   * A kernel.
   *
   * @param operator kind of operator
   * @param shape its matrix products
   * @param cost operations and bytes
   * @param inputs its operands, in the operator's order
   * @param outputs its results
   */
  record Kernel(
      String operator,
      MatrixShape shape,
      Node.Compute.Cost cost,
      List<TensorType> inputs,
      List<TensorType> outputs)
      implements Work {
    /** Copies the lists. */
    public Kernel {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }

    /** A kernel without matrix products, which reads its operands once and writes its results. */
    static Kernel elementwise(
        String operator, long otherFlops, List<TensorType> inputs, List<TensorType> outputs) {
      long read = Sums.of(inputs.stream().mapToLong(TensorType::bytes));
      long written = Sums.of(outputs.stream().mapToLong(TensorType::bytes));
      Node.Compute.Cost cost = new Node.Compute.Cost(0, otherFlops, read, written);
      return new Kernel(operator, MatrixShape.NONE, cost, inputs, outputs);
    }

    /** FLOPs of its matrix products. */
    public long flops() {
      return cost.flops();
    }

    /** Other operations. */
    public long otherFlops() {
      return cost.otherFlops();
    }

    /** Bytes read. */
    public long bytesRead() {
      return cost.bytesRead();
    }

    /** Bytes written. */
    public long bytesWritten() {
      return cost.bytesWritten();
    }
  }

  /**
   * A collective.
   *
   * @param kind which one
   * @param group its members
   * @param type data type of an element
   * @param elements elements of this rank's input
   */
  record Transfer(Node.Collective.Kind kind, Group group, DataType type, long elements)
      implements Work {}

  /**
   * A message along a mesh axis.
   *
   * @param way which of its ends is on this device
   * @param axis the mesh axis
   * @param type data type of an element
   * @param elements elements of the message
   */
  record Message(Way way, String axis, DataType type, long elements) implements Work {
    /** Ends of a message. */
    public enum Way {
      /** It goes out. */
      SEND,
      /** It comes in. */
      RECEIVE,
      /** A turn of a ring: one goes out to the next rank, one comes in from the rank before. */
      SHIFT
    }
  }

  /**
   * A copy between device and host memory.
   *
   * @param toHost whether the device's memory is free afterwards, and not before
   * @param bytes how much
   */
  record HostCopy(boolean toHost, long bytes) implements Work {}

  /** Nodes of an execution graph that it takes. */
  default int nodes() {
    return this instanceof Message message && message.way() == Message.Way.SHIFT ? 2 : 1;
  }

  /** Whether devices wait for one another here: a collective, or a message that goes out. */
  default boolean communicates() {
    return this instanceof Transfer
        || (this instanceof Message message && message.way() != Message.Way.RECEIVE);
  }
}
