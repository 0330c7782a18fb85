package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.PrimitiveIterator;
import org.stage.api.plugin.ExportContext;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;
import org.stage.backend.timeline.format.KinetoWriter;
import org.stage.sim.AlikeRanks;
import org.stage.sim.Times;

/** Writes a profile of each rank that is shown: {@code rank3.kineto.json}. */
final class KinetoFiles {
  private static final double GIGA = 1e9;

  private final Workload workload;
  private final ExportContext context;
  private final Settings settings;

  KinetoFiles(Workload workload, ExportContext context, Settings settings) {
    this.workload = workload;
    this.context = context;
    this.settings = settings;
  }

  void write(List<AlikeRanks> sets, List<Times> times, Shown shown) throws IOException {
    for (int set = 0; set < sets.size(); set++) {
      AlikeRanks alike = sets.get(set);
      PrimitiveIterator.OfInt ranks = shown.of(alike).iterator();
      if (ranks.hasNext()) {
        ExecutionGraph graph = workload.classes().get(alike.rankClass()).graph();
        while (ranks.hasNext()) {
          context.checkCancelled();
          write(ranks.nextInt(), alike, graph, times.get(set));
        }
      }
    }
  }

  private void write(int rank, AlikeRanks alike, ExecutionGraph graph, Times times)
      throws IOException {
    Streams streams = Streams.of(graph, alike.mesh().mesh(), settings.perGroup());
    KinetoTrace trace =
        new KinetoTrace(rank, alike.mesh(), graph, times, streams, workload.precision());
    String name = "rank" + rank + ".kineto.json" + (settings.gzip() ? ".gz" : "");
    Path file = context.directory().resolve(name);
    try (KinetoWriter out = new KinetoWriter(file, settings.gzip(), head(rank))) {
      trace.write(out);
    }
  }

  private KinetoWriter.Head head(int rank) {
    String device =
        workload.hardware().map(Hardware::name).filter(name -> !name.equals("custom")).orElse("");
    long memory = workload.hardware().map(each -> Math.round(each.memoryGb() * GIGA)).orElse(0L);
    return new KinetoWriter.Head(rank, workload.mesh().devices(), device, memory);
  }
}
