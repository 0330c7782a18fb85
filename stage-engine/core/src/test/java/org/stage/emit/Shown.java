package org.stage.emit;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;

/** A graph in words. */
record Shown(ExecutionGraph graph) {
  static Shown of(GraphWriter writer) {
    return new Shown(writer.finish());
  }

  List<String> names() {
    return graph.nodes().stream().map(Node::name).toList();
  }

  Node node(String name) {
    List<Node> found = graph.nodes().stream().filter(each -> each.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " nodes " + name + " among " + names());
    }
    return found.get(0);
  }

  /** What it reads and writes, with bytes: {@code x:8 w:4 -> y:8}. */
  String tensors(String name) {
    NodeHeader header = node(name).header();
    return tensors(header.reads()) + " -> " + tensors(header.writes());
  }

  private String tensors(Ids ids) {
    return join(
        ids.stream()
            .mapToObj(graph.tensors()::get)
            .map(tensor -> tensor.name() + ":" + tensor.bytes())
            .toList());
  }

  /** The nodes for which it waits: {@code data of a b, behind c}. */
  String waits(String name) {
    Node node = node(name);
    return "data of " + nodes(node.dataDeps()) + ", behind " + nodes(node.controlDeps());
  }

  private String nodes(Ids ids) {
    return join(ids.stream().mapToObj(graph.nodes()::get).map(Node::name).toList());
  }

  private static String join(List<String> words) {
    return words.isEmpty() ? "nothing" : words.stream().collect(Collectors.joining(" "));
  }

  /** Names of nodes that match, in order. */
  List<String> matching(String regex) {
    return names().stream().filter(name -> name.matches(regex)).toList();
  }

  /** Where a node stands. */
  int at(String name) {
    return IntStream.range(0, graph.nodes().size())
        .filter(i -> graph.nodes().get(i).name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
