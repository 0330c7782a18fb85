package org.stage.cli;

import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.engine.SideBySide;
import org.stage.engine.Stragglers;
import org.stage.engine.Synthesis;
import org.stage.spec.SharedNetwork;
import org.stage.spec.WorkloadSpec;

/**
 * What {@code stage synth} is to synthesize.
 *
 * @param specs the jobs, at least one
 * @param places the ranks of each
 * @param name prefix of exported files
 * @param slow by rank, how many times longer its kernels take
 */
record Jobs(
    List<WorkloadSpec> specs, List<RankSet> places, String name, Map<Integer, Double> slow) {
  /** The job that says what to export, and on which network. */
  WorkloadSpec first() {
    return specs.get(0);
  }

  int devices() {
    return places.stream().mapToInt(RankSet::size).sum();
  }

  /** The workload of all of them. */
  Workload workload(Stage stage, List<Synthesis> syntheses) {
    Workload workload =
        specs.size() == 1 ? syntheses.get(0).workload() : sideBySide(stage, syntheses);
    Workload named = workload.withName(name);
    return slow.isEmpty() ? named : Stragglers.slow(named, slow);
  }

  private Workload sideBySide(Stage stage, List<Synthesis> syntheses) {
    SharedNetwork network = SharedNetwork.of(first(), devices());
    if (network.replaced()) {
      stage.say(
          Diagnostic.warning(
              first().source() + ", network",
              "is not of the " + devices() + " devices of all jobs: one switch takes its place",
              "Give the first file a network whose sizes multiply to them."));
    }
    List<Workload> jobs = syntheses.stream().map(Synthesis::workload).toList();
    return SideBySide.of(jobs, places, network.dimensions());
  }
}
