package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.app.Json;
import org.stage.app.Session;
import org.stage.app.ValidateResult;
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

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  ValidateCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    try (Session session = pluginOptions.open(stage)) {
      ValidateResult result = session.validate(directory, from);
      return print(result.format(), result.validation());
    }
  }

  private int print(String format, Validation validation) {
    PrintWriter out = stage.world().out();
    long faults = count(validation, Severity.ERROR);
    long warnings = count(validation, Severity.WARNING);
    if (json) {
      Json.print(
          out,
          Json.object(
              "format", format,
              "summary", validation.summary(),
              "faults", faults,
              "warnings", warnings,
              "diagnostics",
                  validation.diagnostics().stream().map(ValidateCommand::fields).toList()));
      return faults == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
    for (Diagnostic diagnostic : validation.diagnostics()) {
      out.println(Stage.line(diagnostic));
    }
    String verdict = faults == 0 ? "no faults" : Units.counted(faults, "fault");
    out.println(
        format
            + ": "
            + validation.summary()
            + ": "
            + verdict
            + (warnings == 0 ? "" : ", " + Units.counted(warnings, "warning")));
    return faults == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static Map<String, Object> fields(Diagnostic diagnostic) {
    return Json.object(
        "severity", diagnostic.severity().name().toLowerCase(Locale.ROOT),
        "source", diagnostic.source(),
        "message", diagnostic.message(),
        "remedy", diagnostic.remedy());
  }

  private static long count(Validation validation, Severity severity) {
    return validation.diagnostics().stream().filter(d -> d.severity() == severity).count();
  }
}
