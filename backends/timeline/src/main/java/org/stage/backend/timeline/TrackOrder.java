package org.stage.backend.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.sim.Times;

/**
 * In which order the nodes of a rank are written. Slices of a track stand in the order of time, as
 * viewers want them, while the graph has them in the order of issue: messages of a peer may come in
 * another order than they are waited for. So the nodes of each stream are sorted by when they
 * begin. Streams take turns as their nodes do in the graph; where all is in order, the nodes are
 * written in that of the graph.
 */
final class TrackOrder {
  private TrackOrder() {}

  static List<Node> of(ExecutionGraph graph, Streams streams, Times times) {
    List<List<Node>> sorted = new ArrayList<>();
    streams.names().forEach(name -> sorted.add(new ArrayList<>()));
    graph.nodes().forEach(node -> sorted.get(streams.of(node)).add(node));
    Comparator<Node> inTime =
        Comparator.<Node>comparingLong(node -> times.start(node.id()))
            .thenComparingLong(node -> times.end(node.id()));
    sorted.forEach(nodes -> nodes.sort(inTime));
    int[] next = new int[sorted.size()];
    List<Node> written = new ArrayList<>(graph.nodes().size());
    for (Node node : graph.nodes()) {
      int stream = streams.of(node);
      written.add(sorted.get(stream).get(next[stream]++));
    }
    return written;
  }
}
