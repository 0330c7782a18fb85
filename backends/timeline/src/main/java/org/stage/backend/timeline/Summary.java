package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.workload.Workload;
import org.stage.backend.timeline.format.Microseconds;
import org.stage.backend.timeline.format.SummaryFile;
import org.stage.sim.AlikeRanks;
import org.stage.sim.Busy;
import org.stage.sim.CondensedGraph;
import org.stage.sim.Times;
import org.stage.sim.cost.Costs;

/**
 * The figures of a simulation.
 *
 * @param step when the last rank is done, nanoseconds
 * @param lines one for each set of ranks that run alike, by stage
 */
record Summary(long step, List<SummaryFile.Line> lines) {
  private static final String NOWHERE = "";

  static Summary of(List<CondensedGraph> graphs, List<AlikeRanks> sets, List<Times> times) {
    long step = times.stream().mapToLong(Times::last).max().orElse(0);
    boolean several = sets.stream().map(AlikeRanks::mesh).distinct().count() > 1;
    List<SummaryFile.Line> lines = new ArrayList<>();
    for (int i = 0; i < sets.size(); i++) {
      AlikeRanks set = sets.get(i);
      Busy busy = Busy.of(graphs.get(set.rankClass()), times.get(i));
      lines.add(
          new SummaryFile.Line(
              several ? set.mesh().name() : "",
              set.stage(),
              set.ranks().toString(),
              Tracks.nanoseconds(busy.compute()),
              Tracks.nanoseconds(busy.communication()),
              Tracks.nanoseconds(busy.overlapped()),
              step == 0 ? 0 : (step - busy.compute()) / (double) step));
    }
    return new Summary(Tracks.nanoseconds(step), List.copyOf(lines));
  }

  void write(Path directory, Workload workload, Settings settings, Costs costs) throws IOException {
    SummaryFile.write(
        directory.resolve("timeline.summary.json"),
        new SummaryFile.Job(
            workload.name(),
            workload.model(),
            costs.usesDevice() ? "roofline" : "unit",
            settings.free() ? "free" : "network",
            step),
        lines);
  }

  List<Diagnostic> notes(
      Workload workload, Settings settings, Costs costs, Shown shown, Unmeasured unmeasured) {
    List<Diagnostic> notes = new ArrayList<>();
    notes.add(note("a step takes " + Microseconds.text(step) + " us", ""));
    String idle =
        lines.stream()
            .map(
                line ->
                    (line.job().isEmpty() ? "" : line.job() + ", ")
                        + String.format(
                            Locale.ROOT, "stage %d %.2f %%", line.stage(), 100 * line.idle()))
            .distinct()
            .collect(Collectors.joining(", "));
    notes.add(note("the share of the step in which no kernel runs: " + idle, ""));
    if (shown.ranks().size() == lines.size() && lines.size() < workload.mesh().devices()) {
      notes.add(
          note(
              "of ranks that run alike, the timeline shows the first: " + shown.ranks(),
              "Name others with --ranks, or set every-rank."));
    }
    if (!costs.usesDevice() && !settings.unit() && unmeasured.kernels()) {
      notes.add(
          note(
              "no peak at "
                  + workload.precision().activations().text()
                  + " is known of the device: each kernel takes 1 us",
              "Name the hardware."));
    }
    if (workload.network().isEmpty()
        && workload.mesh().devices() > 1
        && !settings.free()
        && unmeasured.needsNetwork()) {
      notes.add(
          note(
              "no network is given: the timeline assumes one switch of 50 GB/s and 500 ns",
              "Give the network."));
    }
    return notes;
  }

  private static Diagnostic note(String message, String remedy) {
    return new Diagnostic(Severity.NOTE, NOWHERE, message, remedy);
  }
}
