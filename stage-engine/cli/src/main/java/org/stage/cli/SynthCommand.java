package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.app.JobRequest;
import org.stage.app.Json;
import org.stage.app.Session;
import org.stage.app.SynthRequest;
import org.stage.app.SynthResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage synth}. */
@Command(
    name = "synth",
    description = "Synthesizes the execution graphs of one or more workloads and exports them.")
final class SynthCommand implements Callable<Integer> {
  private final Stage stage;

  @Parameters(
      index = "0..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "The workload file, YAML or JSON.",
        "Several are jobs side by side on one network; the first names exports and network."
      })
  private List<Path> files = new ArrayList<>();

  @Mixin private ChangeOptions changes = new ChangeOptions();

  @Option(
      names = "--place",
      paramLabel = "RANKS",
      description = {
        "The ranks of each job, for example 0-63,64-127; ranges of one job are joined by +.",
        "By default one job after the other."
      })
  private String places = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The prefix of exported files; by default the first file says it.")
  private String name = "";

  @Option(
      names = "--slow",
      paramLabel = "RANKS:FACTOR",
      description = {
        "Makes the kernels of ranks take longer by a factor, for example 5:1.2 or 5-7:1.3.",
        "May be given again."
      })
  private List<String> slow = new ArrayList<>();

  @Mixin private PluginOptions pluginOptions = new PluginOptions();
  @Mixin private ExportOptions exports = new ExportOptions();

  @Option(
      names = "--to",
      paramLabel = "NAME",
      split = ",",
      description = "The exporters to run; by default those that the file names.")
  private List<String> to = new ArrayList<>();

  SynthCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    PrintWriter out = stage.world().out();
    long begin = stage.world().nanoTime().getAsLong();
    List<JobRequest> jobs = files.stream().map(changes::in).toList();
    SynthRequest request = new SynthRequest(jobs, places, name, slow, to, exports.output());
    try (Session session = pluginOptions.open(stage)) {
      SynthResult result = session.synth(request);
      long nanos = stage.world().nanoTime().getAsLong() - begin;
      if (exports.json()) {
        Json.print(out, ResultJson.of(result, nanos));
        return ExitCode.DONE;
      }
      SynthSummary.print(out, result, nanos);
      result.calibrations().forEach(report -> CalibrationText.print(out, report));
    }
    return ExitCode.DONE;
  }
}
