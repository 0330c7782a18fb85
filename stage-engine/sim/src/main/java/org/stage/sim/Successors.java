package org.stage.sim;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;

/**
 * Which nodes follow which: those that depend on one, and the next one on its stream. One that does
 * so for two reasons is there twice.
 */
final class Successors {
  private final int[] predecessors;

  /** Where each node's successors begin, with one entry more for the end. */
  private final int[] begins;

  private final int[] successors;

  /**
   * Those of {@code graph}.
   *
   * @param onStream the node before each on its stream, or -1
   */
  Successors(ExecutionGraph graph, int[] onStream) {
    int count = onStream.length;
    predecessors = new int[count];
    begins = new int[count + 1];
    for (Node node : graph.nodes()) {
      before(node, onStream).forEach(earlier -> begins[earlier + 1]++);
      predecessors[node.id()] = (int) before(node, onStream).count();
    }
    Arrays.parallelPrefix(begins, Integer::sum);
    successors = new int[begins[count]];
    int[] next = begins.clone();
    for (Node node : graph.nodes()) {
      before(node, onStream).forEach(earlier -> successors[next[earlier]++] = node.id());
    }
  }

  private static IntStream before(Node node, int[] onStream) {
    IntStream stream =
        onStream[node.id()] < 0 ? IntStream.empty() : IntStream.of(onStream[node.id()]);
    return IntStream.concat(
        IntStream.concat(node.dataDeps().stream(), node.controlDeps().stream()), stream);
  }

  /** How many reasons {@code node} has to wait. */
  int predecessors(int node) {
    return predecessors[node];
  }

  /** The nodes that follow {@code node}. */
  IntStream of(int node) {
    return Arrays.stream(successors, begins[node], begins[node + 1]);
  }
}
