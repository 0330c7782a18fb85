package org.stage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.Diagnostic;
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
  private static final TraceFolder<TraceValidator> FOLDER =
      new TraceFolder<>(
          TraceValidator.class,
          "format to validate",
          "check",
          (validator, folder) -> validator.call("accepts", v -> v.accepts(folder)));

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
    TraceFolder.require(directory);
    try (Plugins plugins = pluginOptions.load(stage)) {
      Extension<TraceValidator> validator = FOLDER.reader(plugins, directory, from);
      Validation validation;
      try (ProgressLine progress = new ProgressLine(stage, validator.name())) {
        validation = validator.call("validate", instance -> instance.validate(directory, progress));
      }
      return print(validator.name(), validation);
    }
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
