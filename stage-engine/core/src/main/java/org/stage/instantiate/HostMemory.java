package org.stage.instantiate;

import java.util.stream.IntStream;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;

/** Moves data to host memory and back. */
final class HostMemory {
  private final GraphWriter graph;

  HostMemory(GraphWriter graph) {
    this.graph = graph;
  }

  /** Takes tensors away once {@code deps} are done; returns the node. */
  int store(String name, Phase phase, IntStream deps, IntStream tensors, long bytes) {
    Node.Header header =
        graph.header(name, phase, deps, Ids.NONE, sorted(tensors), Ids.NONE, Details.NONE);
    graph.add(new Node.MemoryStore(header, bytes));
    return header.id();
  }

  /**
   * Brings tensors back, into buffers that are free once {@code frees} is done; returns the node.
   *
   * @param stored the node that took them away, or -1 if they lie there from the start
   */
  int load(String name, Phase phase, int stored, int frees, IntStream tensors, long bytes) {
    Ids control = frees < 0 ? Ids.NONE : Ids.of(frees);
    Node.Header header =
        graph.header(
            name, phase, IntStream.of(stored), control, Ids.NONE, sorted(tensors), Details.NONE);
    graph.add(new Node.MemoryLoad(header, bytes));
    return header.id();
  }

  private static Ids sorted(IntStream tensors) {
    return Ids.sorted(tensors.filter(tensor -> tensor >= 0));
  }
}
