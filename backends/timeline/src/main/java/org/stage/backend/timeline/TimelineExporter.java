package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.PrimitiveIterator;
import org.pf4j.Extension;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Parallelism;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.timeline.format.TraceEventWriter;
import org.stage.sim.AlikeRanks;
import org.stage.sim.CondensedGraph;
import org.stage.sim.Partition;
import org.stage.sim.Simulation;
import org.stage.sim.Times;
import org.stage.sim.cost.Costs;

/** Simulates a step and writes its timeline, with the share of it in which each stage idles. */
@Extension
public final class TimelineExporter implements Exporter {
  private static final Capabilities CAPABILITIES =
      Capabilities.nothing()
          .with(
              EnumSet.complementOf(EnumSet.of(NodeKind.HOST_COMPUTE, NodeKind.MARKER))
                  .toArray(NodeKind[]::new))
          .with(Parallelism.values())
          .with(ModelFeature.values())
          .without(ModelFeature.MESSAGES_BETWEEN_JOBS);

  @Override
  public String name() {
    return "timeline";
  }

  @Override
  public String description() {
    return "Timeline of the simulated schedule, for Perfetto and chrome://tracing";
  }

  @Override
  public List<Option> options() {
    return Settings.OPTIONS;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    Settings settings = Settings.of(context.options());
    try {
      Costs costs = Costs.of(workload, settings.unit(), settings.free());
      Estimated estimated = graphs(workload, costs, settings, context);
      List<CondensedGraph> graphs = estimated.graphs();
      List<AlikeRanks> sets = Partition.of(workload, graphs, costs);
      List<Times> times = Simulation.run(graphs, sets, costs);
      context.checkCancelled();
      Summary summary = Summary.of(graphs, sets, times);
      summary.write(context.directory(), workload, settings, costs);
      Shown shown = Shown.of(workload.mesh(), settings, context.ranks(), sets);
      long written = write(workload, context, settings, new Run(sets, times, shown));
      if (settings.kineto()) {
        new KinetoFiles(workload, context, settings).write(sets, times, shown);
      }
      return new ExportReport(
          written, summary.notes(workload, settings, costs, shown, estimated.left()));
    } catch (ArithmeticException e) {
      throw new WorkException(
          workload.name(),
          "a size does not fit 63 bits, or the step takes over 106 days",
          "Make the model or the batch smaller.",
          e);
    }
  }

  /** Graphs, and what of them is left to models. */
  private record Estimated(List<CondensedGraph> graphs, Unmeasured left) {}

  private Estimated graphs(
      Workload workload, Costs costs, Settings settings, ExportContext context) {
    List<CondensedGraph> graphs = new ArrayList<>();
    Unmeasured left = Unmeasured.NOTHING;
    for (RankClass each : workload.classes()) {
      context.checkCancelled();
      JobMesh mesh = workload.meshOf(each);
      ExecutionGraph graph = each.graph();
      CAPABILITIES.require(name(), mesh.mesh(), graph);
      left = left.with(graph);
      Costs own = costs.slowedBy(each.slowdown());
      graphs.add(new CondensedGraph(graph, mesh, own, settings.perGroup()));
      context.progress().report(graphs.size(), workload.classes().size(), "rank classes");
    }
    return new Estimated(graphs, left);
  }

  private static long write(Workload workload, ExportContext context, Settings settings, Run run)
      throws IOException {
    Path file = context.directory().resolve(settings.gzip() ? "timeline.json.gz" : "timeline.json");
    long nodes = 0;
    try (TraceEventWriter out = new TraceEventWriter(file, settings.gzip())) {
      Tracks tracks = new Tracks(settings, run.shown(), out);
      for (int number = 0; number < workload.classes().size(); number++) {
        RankClass each = workload.classes().get(number);
        if (run.shown().ranks().stream().noneMatch(each.ranks()::contains)) {
          continue;
        }
        ExecutionGraph graph = each.graph();
        for (int set = 0; set < run.sets().size(); set++) {
          if (run.sets().get(set).rankClass() == number) {
            nodes += write(graph, set, context, run, tracks);
          }
        }
      }
    }
    return nodes;
  }

  private static long write(
      ExecutionGraph graph, int set, ExportContext context, Run run, Tracks tracks)
      throws IOException {
    AlikeRanks alike = run.sets().get(set);
    long nodes = 0;
    PrimitiveIterator.OfInt ranks = run.shown().of(alike).iterator();
    while (ranks.hasNext()) {
      context.checkCancelled();
      tracks.write(ranks.nextInt(), alike, graph, run.times().get(set));
      nodes += graph.nodes().size();
      context.progress().report(tracks.ranks(), run.shown().ranks().size(), "ranks");
    }
    return nodes;
  }

  /** A finished simulation, and which ranks of it are shown. */
  private record Run(List<AlikeRanks> sets, List<Times> times, Shown shown) {}
}
