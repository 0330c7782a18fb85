package org.stage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.host.Cancellation;
import org.stage.host.ExportRun;
import org.stage.host.Extension;
import org.stage.host.ImportRun;
import org.stage.host.Plugins;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage convert}. */
@Command(name = "convert", description = "Writes an existing trace set in other formats.")
final class ConvertCommand implements Callable<Integer> {
  private static final TraceFolder<WorkloadImporter> FOLDER =
      new TraceFolder<>(
          WorkloadImporter.class,
          "format to convert from",
          "read",
          (importer, folder) -> importer.call("accepts", i -> i.accepts(folder)));

  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();
  @Mixin private ExportOptions exports = new ExportOptions();

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder with the traces.")
  private Path directory = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "NAME",
      description = "The format of the traces; by default what the files look like.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "NAME",
      split = ",",
      required = true,
      description = "The exporters to run.")
  private List<String> to = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "NAME.OPTION=VALUE",
      description = {
        "Sets an option of an exporter, for example chakra.order=total.",
        "May be given again."
      })
  private List<String> settings = new ArrayList<>();

  ConvertCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() throws IOException {
    long begin = stage.world().nanoTime().getAsLong();
    TraceFolder.require(directory);
    try (Plugins plugins = pluginOptions.load(stage)) {
      Extension<WorkloadImporter> importer = FOLDER.reader(plugins, directory, from);
      ExportPlan plan = ExportPlan.of(to, settings, plugins);
      plan.names().forEach(this::requireElsewhere);
      stage.world().interruption().expectCleanup();
      try (ExportRun run = exports.open(plan)) {
        Imported imported = read(importer);
        Workload workload = imported.workload();
        RankSet wanted = exports.wanted(workload.mesh().devices());
        print(
            importer.name(),
            workload,
            wanted,
            exports.export(stage, run, plan, workload, wanted, imported.losses()),
            stage.world().nanoTime().getAsLong() - begin);
      }
    }
    return ExitCode.DONE;
  }

  /** What is read must not be replaced while it is. */
  private void requireElsewhere(String exporter) {
    Path source = directory.toAbsolutePath().normalize();
    Path target = exports.out().resolve(exporter).toAbsolutePath().normalize();
    if (source.startsWith(target)) {
      throw new InputException(
          "--out", target + " holds the traces that are to be read", "Name another folder.");
    }
  }

  private Imported read(Extension<WorkloadImporter> importer) {
    Cancellation cancellation = stage.world().interruption()::check;
    Imported imported;
    try (ProgressLine progress = new ProgressLine(stage, importer.name())) {
      imported = ImportRun.read(importer, directory, progress, cancellation);
    }
    imported.losses().forEach(stage::say);
    imported.notes().forEach(stage::say);
    return imported;
  }

  private void print(
      String format,
      Workload workload,
      RankSet wanted,
      List<ExportRun.Result> results,
      long nanos) {
    PrintWriter out = stage.world().out();
    int ranks = workload.mesh().devices();
    SynthSummary.line(out, "workload", workload.name() + ", read from " + format);
    SynthSummary.line(out, "ranks", SynthSummary.ranks(ranks, wanted));
    SynthSummary.line(out, "classes", Units.count(workload.classes().size()));
    SynthSummary.line(out, "nodes", Units.count(results.get(0).report().nodes()));
    SynthSummary.printFiles(out, results, nanos);
  }
}
