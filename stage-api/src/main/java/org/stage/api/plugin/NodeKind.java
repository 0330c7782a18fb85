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
  RECV;

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
    return node instanceof Node.Recv ? RECV : COMPUTE;
  }
}
