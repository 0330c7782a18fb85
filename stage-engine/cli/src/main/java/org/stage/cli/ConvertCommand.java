package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.app.ConvertRequest;
import org.stage.app.ConvertResult;
import org.stage.app.ExportResult;
import org.stage.app.Json;
import org.stage.app.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage convert}. */
@Command(name = "convert", description = "Writes an existing trace set in other formats.")
final class ConvertCommand implements Callable<Integer> {
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
  public Integer call() {
    long begin = stage.world().nanoTime().getAsLong();
    ConvertRequest request = new ConvertRequest(directory, from, to, settings, exports.output());
    try (Session session = pluginOptions.open(stage)) {
      ConvertResult result = session.convert(request);
      long nanos = stage.world().nanoTime().getAsLong() - begin;
      if (exports.json()) {
        Json.print(stage.world().out(), ResultJson.of(result, nanos));
      } else {
        print(result.format(), result.exported(), nanos);
      }
    }
    return ExitCode.DONE;
  }

  private void print(String format, ExportResult exported, long nanos) {
    PrintWriter out = stage.world().out();
    SynthSummary.line(out, "workload", exported.workload().name() + ", read from " + format);
    SynthSummary.printRanks(out, exported);
    SynthSummary.line(out, "nodes", Units.count(exported.exports().get(0).report().nodes()));
    SynthSummary.printFiles(out, exported, nanos);
  }
}
