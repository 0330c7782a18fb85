package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.TraceValidator.Validation;
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
    for (Diagnostic diagnostic : validation.diagnostics()) {
      out.println(Stage.line(diagnostic));
    }
    long faults = count(validation, Severity.ERROR);
    long warnings = count(validation, Severity.WARNING);
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

  private static long count(Validation validation, Severity severity) {
    return validation.diagnostics().stream().filter(d -> d.severity() == severity).count();
  }
}
