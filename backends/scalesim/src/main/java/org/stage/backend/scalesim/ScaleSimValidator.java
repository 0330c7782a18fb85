package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.scalesim.check.FolderCheck;

/** Checks topologies and configurations: what SCALE-Sim would refuse, lose or misread. */
@Extension
public final class ScaleSimValidator implements TraceValidator {
  @Override
  public String name() {
    return "scalesim";
  }

  @Override
  public String description() {
    return "checks topologies and configurations as SCALE-Sim v2 and v3 would read them";
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return new FolderCheck(directory).hasTopology();
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    FolderCheck check = new FolderCheck(directory);
    List<Diagnostic> diagnostics = check.run();
    return new Validation(check.summary(), diagnostics);
  }
}
