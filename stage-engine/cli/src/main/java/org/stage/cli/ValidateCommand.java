package org.stage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.host.Extension;
import org.stage.host.Plugins;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage validate}. */
@Command(
    name = "validate",
    description =
        "Checks a folder of traces as its simulator would read them. Exits with 1 on faults.")
final class ValidateCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder with the traces.")
  private Path directory = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "NAME",
      description = "The format; by default what the files look like.")
  private String from = "";

  ValidateCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new InputException(
          directory.toString(),
          Files.exists(directory) ? "is not a folder" : "does not exist",
          "Name a folder that holds traces.");
    }
    try (Plugins plugins = pluginOptions.load(stage)) {
      Extension<TraceValidator> validator =
          from.isEmpty()
              ? detect(plugins)
              : plugins.find(TraceValidator.class, "format to validate", "--from", from);
      Validation validation;
      try (ProgressLine progress = new ProgressLine(stage, validator.name())) {
        validation = validator.call("validate", instance -> instance.validate(directory, progress));
      }
      return print(validator.name(), validation);
    }
  }

  private Extension<TraceValidator> detect(Plugins plugins) throws IOException {
    List<Extension<TraceValidator>> all = plugins.extensions(TraceValidator.class);
    List<Extension<TraceValidator>> fitting =
        all.stream().filter(validator -> accepts(validator, directory)).toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    if (fitting.isEmpty()) {
      throw new InputException(
          directory.toString(), "holds no traces of a known format", remedy(all));
    }
    throw new InputException(
        directory.toString(),
        "may be of several formats: " + names(fitting),
        "Say which by --from.");
  }

  /** Points to {@code out/chakra} where {@code out} was named. */
  private String remedy(List<Extension<TraceValidator>> all) throws IOException {
    List<Path> inside;
    try (Stream<Path> files = Files.list(directory)) {
      inside =
          files
              .filter(Files::isDirectory)
              .filter(folder -> all.stream().anyMatch(validator -> accepts(validator, folder)))
              .sorted()
              .toList();
    }
    if (!inside.isEmpty()) {
      return "Did you mean " + inside.get(0) + "?";
    }
    return all.isEmpty()
        ? "No plugin can check traces: name a folder with plugins by --plugins."
        : "Known are: " + names(all) + ".";
  }

  private static boolean accepts(Extension<TraceValidator> validator, Path folder) {
    return validator.call("accepts", instance -> instance.accepts(folder));
  }

  private static String names(List<Extension<TraceValidator>> validators) {
    return String.join(", ", validators.stream().map(Extension::name).toList());
  }

  private int print(String format, Validation validation) {
    PrintWriter out = stage.world().out();
    for (Diagnostic diagnostic : validation.diagnostics()) {
      out.println(Stage.line(diagnostic));
    }
    long faults = count(validation, Severity.ERROR);
    long warnings = count(validation, Severity.WARNING);
    String verdict = faults == 0 ? "no faults" : counted(faults, "fault");
    out.println(
        format
            + ": "
            + validation.summary()
            + ": "
            + verdict
            + (warnings == 0 ? "" : ", " + counted(warnings, "warning")));
    return faults == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static long count(Validation validation, Severity severity) {
    return validation.diagnostics().stream().filter(d -> d.severity() == severity).count();
  }

  private static String counted(long number, String what) {
    return Units.count(number) + " " + what + (number == 1 ? "" : "s");
  }
}
