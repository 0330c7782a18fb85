package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.genie.check.FolderCheck;

/** Checks the folder of a run: what Genie would misread, stop or hang on. */
@Extension
public final class GenieValidator implements TraceValidator {
  @Override
  public String name() {
    return "genie";
  }

  @Override
  public String description() {
    return "checks traces, communicators and logical topology as Genie would read them";
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return FolderCheck.accepts(directory);
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    FolderCheck check = new FolderCheck(directory);
    List<Diagnostic> diagnostics = check.run(progress);
    return new Validation(check.summary(), diagnostics);
  }
}
