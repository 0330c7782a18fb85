package org.stage.backend.dot;

import java.util.Optional;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;

/**
 * What nodes have in common that are drawn as one box.
 *
 * @param part the part of the model, as the fold has it
 * @param phase the part of the step
 * @param what they do, where it is not computing: {@code all-gather tp}
 * @param axis where they communicate, for the colour
 */
record Box(String part, Phase phase, String what, Optional<String> axis) {
  static Box of(Node node, Fold fold, Mesh mesh) {
    String part = fold.part(node);
    if (node instanceof Node.Collective collective) {
      String what = collective.kind().text() + " " + mesh.text(collective.group());
      return new Box(part, node.phase(), what, Optional.of(collective.group().axisNames()));
    }
    if (node instanceof Node.Send send) {
      String what = "send to " + send.peer().text();
      return new Box(part, node.phase(), what, Optional.of(send.peer().axisName()));
    }
    if (node instanceof Node.Recv recv) {
      String what = "receive from " + recv.peer().text();
      return new Box(part, node.phase(), what, Optional.of(recv.peer().axisName()));
    }
    return new Box(part, node.phase(), beside(node), Optional.empty());
  }

  /** What a node does that neither computes on the device nor communicates. */
  private static String beside(Node node) {
    if (node instanceof Node.HostCompute host) {
      return "host: " + host.operator();
    }
    if (node instanceof Node.MemoryLoad) {
      return "load from memory outside";
    }
    if (node instanceof Node.MemoryStore) {
      return "store to memory outside";
    }
    return node instanceof Node.Marker marker ? "marker: " + marker.kind() : "";
  }
}
