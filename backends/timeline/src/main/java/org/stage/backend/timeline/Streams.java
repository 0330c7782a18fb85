package org.stage.backend.timeline;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;

/**
 * The streams of a rank: kernels, then communications, then receives from each peer. The latter are
 * several, as messages of two peers may be under way at once.
 */
final class Streams {
  private static final String COMPUTE = "compute";

  private final Mesh mesh;
  private final boolean perGroup;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names;

  private Streams(ExecutionGraph graph, Mesh mesh, boolean perGroup) {
    this.mesh = mesh;
    this.perGroup = perGroup;
    Set<String> own = new LinkedHashSet<>(List.of(COMPUTE));
    Set<String> receives = new LinkedHashSet<>();
    for (Node node : graph.nodes()) {
      (node instanceof Node.Recv ? receives : own).add(name(node));
    }
    names = Stream.concat(own.stream(), receives.stream()).toList();
    names.forEach(name -> numbers.put(name, numbers.size()));
  }

  /** The streams on which nodes of {@code graph} run. */
  static Streams of(ExecutionGraph graph, Mesh mesh, boolean perGroup) {
    return new Streams(graph, mesh, perGroup);
  }

  /** In order of their numbers. */
  List<String> names() {
    return names;
  }

  /** The number of the stream of {@code node}. */
  int of(Node node) {
    return numbers.getOrDefault(name(node), 0);
  }

  private String name(Node node) {
    if (node instanceof Node.Compute) {
      return COMPUTE;
    }
    if (node instanceof Node.MemoryLoad) {
      return "load from host memory";
    }
    if (node instanceof Node.MemoryStore) {
      return "store to host memory";
    }
    if (node instanceof Node.Recv recv) {
      return "receive from " + recv.peer().text();
    }
    if (!perGroup) {
      return "communication";
    }
    return node instanceof Node.Collective collective
        ? "communication " + mesh.text(collective.group())
        : "send to " + ((Node.Send) node).peer().text();
  }
}
