package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import org.pf4j.Extension;
import org.stage.api.diagnostic.InputException;
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
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.TraceSet;
import org.stage.backend.chakra.format.TraceWriter;
import org.stage.backend.genie.format.GenieFiles;

/**
 * Writes what Genie needs to drive a real network with the traffic of a job: a folder to copy to a
 * cluster.
 */
@Extension
public final class GenieExporter implements Exporter {
  private static final Capabilities CAPABILITIES =
      Capabilities.nothing()
          .with(
              NodeKind.COMPUTE,
              NodeKind.ALL_REDUCE,
              NodeKind.ALL_GATHER,
              NodeKind.REDUCE_SCATTER,
              NodeKind.ALL_TO_ALL,
              NodeKind.SEND,
              NodeKind.RECV)
          .with(Parallelism.values())
          .with(ModelFeature.values())
          .without(ModelFeature.MESSAGES_BETWEEN_JOBS);

  @Override
  public String name() {
    return "genie";
  }

  @Override
  public String description() {
    return "traces and files of a run for Genie, which drives real networks without devices";
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
    if (!workload.name().matches("[A-Za-z0-9_][A-Za-z0-9_.-]*")) {
      throw new InputException(
          "name",
          "'" + workload.name() + "' cannot begin the names of files for Genie",
          "Use letters, digits, '_', '-' and '.'.");
    }
    Settings settings = Settings.of(context.options(), workload.mesh().devices());
    Device device = Device.of(workload);
    Communicators communicators = new Communicators(workload.mesh().devices());
    Totals totals = new Totals();
    try {
      for (RankClass ranks : workload.classes()) {
        ExecutionGraph graph = ranks.graph();
        JobMesh mesh = workload.meshOf(ranks);
        CAPABILITIES.require(name(), mesh.mesh(), graph);
        Device own = device.slowedBy(ranks.slowdown());
        List<Step> steps = Steps.of(graph, own, settings.merge());
        Slots slots = new Slots(mesh, communicators);
        ClassTrace trace = new ClassTranslator(graph, steps, slots).translate();
        totals.add(trace, ranks.ranks().size(), write(workload, context, ranks, trace));
      }
    } catch (ArithmeticException e) {
      throw new WorkException(
          workload.name(), "a size does not fit 63 bits", "Make the model or batch smaller.", e);
    }
    writeShared(workload, context.directory(), settings, device, communicators);
    Path report = context.directory().resolve("totals.json");
    ReportFile.write(report, workload, communicators, totals);
    return Notes.report(settings, communicators, totals);
  }

  /** Goes through all ranks, as the ids of groups must not depend on which files are wanted. */
  private static long write(
      Workload workload, ExportContext context, RankClass ranks, ClassTrace trace)
      throws IOException {
    TraceWriter writer = new TraceWriter(false);
    long written = 0;
    PrimitiveIterator.OfInt each = ranks.ranks().stream().iterator();
    while (each.hasNext()) {
      int rank = each.nextInt();
      context.checkCancelled();
      byte[][] fills = trace.slots().fills(rank);
      if (context.ranks().contains(rank)) {
        Path file = context.directory().resolve(TraceSet.fileName(workload.name(), rank));
        writer.write(file, trace.template(), fills);
        context.progress().report(++written, ranks.ranks().size(), "ranks");
      }
    }
    return written;
  }

  private static void writeShared(
      Workload workload,
      Path directory,
      Settings settings,
      Device device,
      Communicators communicators)
      throws IOException {
    boolean groups = communicators.table().size() > 0;
    if (groups) {
      GroupFile.write(directory.resolve(GenieFiles.GROUPS), Map.of(), communicators.table());
    }
    new GenieFiles(
            workload.name(),
            workload.mesh().devices(),
            settings.ranksPerHost(),
            device.memoryGbPerS(),
            groups)
        .write(directory);
  }
}
