package org.stage.engine;

import java.util.List;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.sim.CondensedGraph;
import org.stage.sim.Partition;
import org.stage.sim.Simulation;
import org.stage.sim.Times;
import org.stage.sim.cost.Costs;

/** How long a step takes, milliseconds. */
final class StepTimes {
  private StepTimes() {}

  /** With a stream for each communicator. */
  static double lanes(Workload workload) {
    return milliseconds(workload, true);
  }

  /** With one slot for communication on each rank. */
  static double oneSlot(Workload workload) {
    return milliseconds(workload, false);
  }

  private static double milliseconds(Workload workload, boolean perGroup) {
    Costs costs = Costs.of(workload, false, false);
    List<CondensedGraph> graphs =
        workload.classes().stream().map(each -> graph(workload, each, costs, perGroup)).toList();
    return Simulation.run(graphs, Partition.of(workload, graphs, costs), costs).stream()
            .mapToLong(Times::last)
            .max()
            .orElse(0)
        / 1e9;
  }

  private static CondensedGraph graph(
      Workload workload, RankClass each, Costs costs, boolean perGroup) {
    return new CondensedGraph(each.graph(), workload.meshOf(each), costs, perGroup);
  }
}
