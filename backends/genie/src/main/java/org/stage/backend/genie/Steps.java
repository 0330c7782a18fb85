package org.stage.backend.genie;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;

/**
 * Makes steps of nodes. A compute node joins the step before it where no transfer could tell the
 * difference: none stands between them, none waits for what came before, and the node itself waits
 * for no transfer that the step does not wait for. So a step is done when its last node would be,
 * and begins when its first would.
 */
final class Steps {
  private final ExecutionGraph graph;
  private final Device device;
  private final boolean merge;
  private final BitSet awaited = new BitSet();
  private final BitSet transfers = new BitSet();
  private final int[] stepOf;
  private final List<Step> steps = new ArrayList<>();

  private Steps(ExecutionGraph graph, Device device, boolean merge) {
    this.graph = graph;
    this.device = device;
    this.merge = merge;
    this.stepOf = new int[graph.nodes().size()];
  }

  /** The steps of {@code graph}, in its order; dependencies are indices of earlier steps. */
  static List<Step> of(ExecutionGraph graph, Device device, boolean merge) {
    Steps steps = new Steps(graph, device, merge);
    steps.mark();
    steps.make();
    return steps.steps;
  }

  private void mark() {
    for (Node node : graph.nodes()) {
      if (!(node instanceof Node.Compute)) {
        transfers.set(node.id());
        deps(node).forEach(awaited::set);
      }
    }
  }

  private void make() {
    BitSet waitedFor = new BitSet();
    boolean open = false;
    for (Node node : graph.nodes()) {
      boolean joins = open && node instanceof Node.Compute && waitsForNoOther(node, waitedFor);
      if (!joins) {
        steps.add(new Step(node));
        waitedFor.clear();
        deps(node).filter(transfers::get).forEach(waitedFor::set);
      }
      int index = steps.size() - 1;
      Step step = steps.get(index);
      stepOf[node.id()] = index;
      deps(node).map(id -> stepOf[id]).filter(dep -> dep != index).forEach(step.deps()::add);
      if (node instanceof Node.Compute compute) {
        step.add(compute, device.nanoseconds(compute));
        open = merge && !awaited.get(node.id());
      } else {
        open = false;
      }
    }
  }

  private boolean waitsForNoOther(Node node, BitSet waitedFor) {
    return deps(node).filter(transfers::get).allMatch(waitedFor::get);
  }

  private static IntStream deps(Node node) {
    return IntStream.concat(node.dataDeps().stream(), node.controlDeps().stream());
  }
}
