package org.stage.api.plugin;

import java.util.Locale;
import org.stage.api.workload.Node;

/** Kinds of nodes, as a plugin declares which it can say. Later versions may add kinds. */
public enum NodeKind {
  /** A kernel. */
  COMPUTE,
  /** An all-reduce. */
  ALL_REDUCE,
  /** An all-gather. */
  ALL_GATHER,
  /** A reduce-scatter. */
  REDUCE_SCATTER,
  /** An all-to-all. */
  ALL_TO_ALL,
  /** A send to another rank. */
  SEND,
  /** A receive from another rank. */
  RECV,
  /** A reduction to one member; this kind and all that follow come from foreign traces. */
  REDUCE,
  /** A gathering on one member. */
  GATHER,
  /** A scattering from one member. */
  SCATTER,
  /** A broadcast. */
  BROADCAST,
  /** A barrier. */
  BARRIER,
  /** Work of the host. */
  HOST_COMPUTE,
  /** A transfer from memory outside the device. */
  MEMORY_LOAD,
  /** A transfer to memory outside the device. */
  MEMORY_STORE,
  /** A node that does nothing. */
  MARKER;

  /** The name in listings: {@code all-reduce}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind of {@code node}. */
  public static NodeKind of(Node node) {
    if (node instanceof Node.Collective collective) {
      return valueOf(collective.kind().name());
    }
    if (node instanceof Node.Send) {
      return SEND;
    }
    if (node instanceof Node.Recv) {
      return RECV;
    }
    if (node instanceof Node.HostCompute) {
      return HOST_COMPUTE;
    }
    if (node instanceof Node.MemoryLoad) {
      return MEMORY_LOAD;
    }
    if (node instanceof Node.MemoryStore) {
      return MEMORY_STORE;
    }
    return node instanceof Node.Marker ? MARKER : COMPUTE;
  }
}
