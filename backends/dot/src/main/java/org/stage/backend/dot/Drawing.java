package org.stage.backend.dot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;

/**
 * An execution graph with its nodes gathered in boxes.
 *
 * @param boxes what is in each, by number and in order of their first nodes
 * @param edges how many dependencies there are between two boxes, in order of the graph
 * @param nodes how many nodes are drawn
 * @param left how many boxes are left out
 */
record Drawing(Map<Box, Content> boxes, Map<Edge, Integer> edges, int nodes, int left) {
  /** Two different boxes, of which one depends on the other. */
  record Edge(int from, int to, boolean data) {}

  /** What is in a box: its number, how many nodes, and their sums. */
  static final class Content {
    private final int number;
    private int count;
    private double flops;
    private double bytes;
    private String operator = "";

    Content(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    int count() {
      return count;
    }

    /** FLOPs of all kinds. */
    double flops() {
      return flops;
    }

    /** Bytes that this rank puts into communications, or moves to and from memory outside. */
    double bytes() {
      return bytes;
    }

    /** Operator and shape of the last kernel; the only one where nothing is folded. */
    String operator() {
      return operator;
    }

    private void add(Node node) {
      count++;
      if (node instanceof Node.Compute compute) {
        flops += (double) compute.flops() + compute.otherFlops();
        operator = compute.operator() + (compute.flops() == 0 ? "" : " " + compute.shape());
      } else if (node instanceof Node.Collective collective) {
        bytes += collective.bytes();
      } else if (node instanceof Node.Send send) {
        bytes += send.bytes();
      } else if (node instanceof Node.Recv recv) {
        bytes += recv.bytes();
      } else if (node instanceof Node.MemoryLoad load) {
        bytes += load.bytes();
      } else if (node instanceof Node.MemoryStore store) {
        bytes += store.bytes();
      }
    }
  }

  /** Draws the nodes of {@code graph} in their order, as long as there are {@code most} boxes. */
  static Drawing of(ExecutionGraph graph, Fold fold, Mesh mesh, int most) {
    Map<Box, Content> all = new LinkedHashMap<>();
    int[] boxOf = new int[graph.nodes().size()];
    for (Node node : graph.nodes()) {
      Box box = Box.of(node, fold, mesh);
      Content content = all.computeIfAbsent(box, added -> new Content(all.size()));
      content.add(node);
      boxOf[node.id()] = content.number();
    }
    Map<Box, Content> drawn = new LinkedHashMap<>();
    all.forEach(
        (box, content) -> {
          if (content.number() < most) {
            drawn.put(box, content);
          }
        });
    Map<Edge, Integer> edges = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (boxOf[node.id()] < most) {
        count(edges, node, node.dataDeps(), true, boxOf, most);
        count(edges, node, node.controlDeps(), false, boxOf, most);
      }
    }
    int nodes = drawn.values().stream().mapToInt(Content::count).sum();
    return new Drawing(drawn, edges, nodes, all.size() - drawn.size());
  }

  private static void count(
      Map<Edge, Integer> edges, Node node, Ids before, boolean data, int[] boxOf, int most) {
    int to = boxOf[node.id()];
    before.stream()
        .map(earlier -> boxOf[earlier])
        .filter(from -> from != to && from < most)
        .forEach(from -> edges.merge(new Edge(from, to, data), 1, Integer::sum));
  }
}
