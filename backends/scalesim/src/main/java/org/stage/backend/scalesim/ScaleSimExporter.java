package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.scalesim.format.Configuration;
import org.stage.backend.scalesim.format.LayoutFile;
import org.stage.backend.scalesim.format.Names;
import org.stage.backend.scalesim.format.RunScript;

/**
 * Writes the matrix products of each class of ranks as a GEMM topology of SCALE-Sim, with what a
 * topology cannot say beside it.
 */
@Extension
public final class ScaleSimExporter implements Exporter {
  /** Matrix products; what becomes no row is a loss that the report names. */
  private static final Capabilities CAPABILITIES =
      Capabilities.everything()
          .losing(
              NodeKind.ALL_REDUCE,
              NodeKind.ALL_GATHER,
              NodeKind.REDUCE_SCATTER,
              NodeKind.ALL_TO_ALL,
              NodeKind.SEND,
              NodeKind.RECV,
              NodeKind.REDUCE,
              NodeKind.GATHER,
              NodeKind.SCATTER,
              NodeKind.BROADCAST,
              NodeKind.BARRIER,
              NodeKind.HOST_COMPUTE,
              NodeKind.MEMORY_LOAD,
              NodeKind.MEMORY_STORE)
          .losing(ModelFeature.SLOW_RANKS);

  @Override
  public String name() {
    return "scalesim";
  }

  @Override
  public String description() {
    return "GEMM topologies with counts and cycles, and a configuration, for SCALE-Sim v2 and v3";
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
          "'" + workload.name() + "' cannot begin the names of files for SCALE-Sim",
          "Use letters, digits, '_', '-' and '.'.");
    }
    Settings settings = Settings.of(context.options(), workload);
    try {
      List<ClassResult> results = exportClasses(workload, context, settings);
      writeShared(workload, context.directory(), settings, results);
      new ReportFile(workload, settings).write(context.directory().resolve("totals.json"), results);
      return new Notes(workload, settings).report(nodes(results, context), results);
    } catch (ArithmeticException e) {
      throw new WorkException(
          workload.name(),
          "a sum of FLOPs or cycles does not fit 63 bits",
          "Make the model or the batch smaller.",
          e);
    }
  }

  private static List<ClassResult> exportClasses(
      Workload workload, ExportContext context, Settings settings) throws IOException {
    List<ClassResult> results = new ArrayList<>();
    int done = 0;
    for (RankClass ranks : workload.classes()) {
      context.checkCancelled();
      if (ranks.ranks().stream().anyMatch(context.ranks()::contains)) {
        ClassTally tally = ClassTally.of(ranks.graph());
        results.add(
            new ClassFiles(settings).write(context.directory(), workload.name(), ranks, tally));
      }
      context.progress().report(++done, workload.classes().size(), "classes");
    }
    return results;
  }

  private static void writeShared(
      Workload workload, Path directory, Settings settings, List<ClassResult> results)
      throws IOException {
    int bytes = workload.precision().activations().bytes();
    Configuration configuration =
        new Configuration(
            Names.safe(workload.name()),
            settings.target().array(),
            settings.sramKb().stream().map(kb -> Math.max(1, kb / bytes)).toList(),
            settings.wordsPerCycle(),
            results.stream().mapToLong(each -> each.need().largestMatrix()).max().orElse(0));
    Files.writeString(directory.resolve(workload.name() + ".cfg"), configuration.text());
    Files.writeString(directory.resolve("layout.csv"), LayoutFile.text());
    RunScript.write(directory.resolve("run.sh"), workload.name() + ".cfg");
  }

  /** Kernels in rows, over all ranks that were asked for. */
  private static long nodes(List<ClassResult> results, ExportContext context) {
    return results.stream()
        .mapToLong(
            result ->
                Math.multiplyExact(
                    result.tally().translated(),
                    result.ranks().stream().filter(context.ranks()::contains).count()))
        .reduce(0, Math::addExact);
  }
}
