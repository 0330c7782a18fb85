package org.stage.instantiate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.api.workload.Phase;
import org.stage.arithmetic.Sums;

/**
 * What a layer keeps for its backward passes, in host memory meanwhile: taken there after the
 * forward pass, and brought back while the module before it in backward order computes.
 */
final class OffloadedActivations {
  private final UnitStates states;
  private final GraphWriter graph;
  private final HostMemory host;
  private final List<Integer> kept;
  private final long bytes;

  /** By micro-batch: the node that took its tensors away. */
  private final Map<Integer, Integer> stored = new HashMap<>();

  OffloadedActivations(UnitStates states, GraphWriter graph) {
    this.states = states;
    this.graph = graph;
    this.host = new HostMemory(graph);
    this.kept = List.copyOf(states.plan().kept());
    this.bytes = Sums.of(kept.stream().mapToLong(this::bytes));
  }

  private long bytes(int variable) {
    return states.plan().forward().variables().get(variable).bytes();
  }

  /** Takes away what {@code run} keeps. */
  void store(int microBatch, Handle[] run) {
    int node =
        host.store(
            prefix(microBatch) + "offload",
            Phase.FORWARD,
            kept.stream().mapToInt(variable -> run[variable].node()),
            kept.stream().mapToInt(variable -> run[variable].tensor()),
            bytes);
    stored.put(microBatch, node);
  }

  /** Brings it back, and lets {@code run} point to it. */
  void load(int microBatch, Handle[] run) {
    Integer away = stored.remove(microBatch);
    if (away == null) {
      return; // is back already
    }
    String prefix = prefix(microBatch);
    List<Integer> tensors = new ArrayList<>();
    for (int variable : kept) {
      String name = states.plan().forward().variables().get(variable).name();
      tensors.add(graph.tensor(prefix + name + ".reloaded", bytes(variable)));
    }
    IntStream written = tensors.stream().mapToInt(Integer::intValue);
    int node =
        host.load(prefix + "reload", Phase.BACKWARD, away, graph.lastKernel(), written, bytes);
    for (int i = 0; i < tensors.size(); i++) {
      run[kept.get(i)] = new Handle(node, tensors.get(i));
    }
  }

  private String prefix(int microBatch) {
    return "mb" + microBatch + "." + states.name() + ".";
  }
}
