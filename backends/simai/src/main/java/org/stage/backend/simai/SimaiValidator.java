package org.stage.backend.simai;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.simai.format.Fault;
import org.stage.backend.simai.format.FileCheck;

/** Checks SimAI workload files: what SimAI-Analytical would stop at, hang on, or misread. */
@Extension
public final class SimaiValidator implements TraceValidator {
  @Override
  public String name() {
    return "simai";
  }

  @Override
  public String description() {
    return "checks SimAI workload files (.txt) as SimAI-Analytical would read them";
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return !FileCheck.find(directory).isEmpty();
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    List<Diagnostic> diagnostics = new ArrayList<>();
    List<Path> files = FileCheck.find(directory);
    if (files.isEmpty()) {
      diagnostics.add(
          Diagnostic.error(
              directory.toString(),
              "there are no .txt files that begin with a policy of SimAI",
              "Give the folder of workload files."));
    }
    long rows = 0;
    int done = 0;
    for (Path file : files) {
      FileCheck check = FileCheck.of(file);
      rows += check.rows();
      for (Fault fault : check.faults()) {
        diagnostics.add(diagnostic(file, fault));
      }
      progress.report(++done, files.size(), "files");
    }
    String summary =
        String.format(
            Locale.ROOT,
            "%d %s, %,d rows",
            files.size(),
            files.size() == 1 ? "file" : "files",
            rows);
    return new Validation(summary, diagnostics);
  }

  private static Diagnostic diagnostic(Path file, Fault fault) {
    Severity severity =
        switch (fault.level()) {
          case ERROR -> Severity.ERROR;
          case WARNING -> Severity.WARNING;
          case NOTE -> Severity.NOTE;
        };
    String source = file.getFileName() + ", line " + fault.line();
    return new Diagnostic(severity, source, fault.message(), fault.remedy());
  }
}
