package org.stage.state;

import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;

/** What a device does at once, with its numbers: all that counting needs to know of an action. */
public sealed interface Work {
  /**
   * A kernel.
   *
   * @param operator kind of operator
   * @param shape its matrix products
   * @param flops their FLOPs
   * @param otherFlops other operations
   * @param bytesRead bytes read
   * @param bytesWritten bytes written
   */
  record Kernel(
      String operator,
      MatrixShape shape,
      long flops,
      long otherFlops,
      long bytesRead,
      long bytesWritten)
      implements Work {
    /** A kernel without matrix products. */
    static Kernel elementwise(String operator, long otherFlops, long bytesRead, long bytesWritten) {
      return new Kernel(operator, MatrixShape.NONE, 0, otherFlops, bytesRead, bytesWritten);
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
