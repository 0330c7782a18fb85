package org.stage.app;

import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.app.JobReading.ReadJob;
import org.stage.engine.Synthesis;
import org.stage.workloadfile.SharedNetwork;

/**
 * Jobs side by side, read and placed.
 *
 * @param all the jobs, at least one
 * @param places the ranks of each
 * @param name prefix of exported files
 * @param slow by rank, how many times longer its kernels take
 */
record Jobs(List<ReadJob> all, List<RankSet> places, String name, Map<Integer, Double> slow) {
  /** Reads the jobs, then where they lie, how they are called and which ranks are slow. */
  static Jobs read(SynthRequest request, JobReading reading) {
    boolean shared = request.jobs().size() > 1;
    List<ReadJob> jobs = request.jobs().stream().map(job -> reading.read(job, shared)).toList();
    List<RankSet> places = Places.read(request.places(), jobs);
    int devices = places.stream().mapToInt(RankSet::size).sum();
    return new Jobs(
        jobs,
        places,
        request.name().isEmpty() ? jobs.get(0).name() : checkedName(request, reading),
        Stragglers.read(request.slow(), devices));
  }

  /** The name, held to what a file may say. */
  private static String checkedName(SynthRequest request, JobReading reading) {
    return reading.read(request.jobs().get(0).named(request.name()), true).name();
  }

  /** The job that says what to export, and on which network. */
  ReadJob first() {
    return all.get(0);
  }

  int devices() {
    return places.stream().mapToInt(RankSet::size).sum();
  }

  /** The workload of all of them. */
  Workload workload(List<Synthesis> syntheses, Listener listener) {
    Workload workload =
        all.size() == 1 ? syntheses.get(0).workload() : sideBySide(syntheses, listener);
    Workload named = workload.withName(name);
    return slow.isEmpty() ? named : Stragglers.slow(named, slow);
  }

  private Workload sideBySide(List<Synthesis> syntheses, Listener listener) {
    SharedNetwork network = first().network(devices());
    if (network.replaced()) {
      listener.say(
          Diagnostic.warning(
              first().source() + ", network",
              "is not of the " + devices() + " devices of all jobs: one switch takes its place",
              "Give the first file a network whose sizes multiply to them."));
    }
    List<Workload> jobs = syntheses.stream().map(Synthesis::workload).toList();
    List<String> files = all.stream().map(ReadJob::source).toList();
    return SideBySide.of(jobs, files, places, network.dimensions());
  }
}
