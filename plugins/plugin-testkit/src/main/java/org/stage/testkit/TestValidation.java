package org.stage.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;

/** Calls a validator as the host does. */
public final class TestValidation {
  private TestValidation() {}

  /**
   * What {@code validator} calls an error under {@code directory}, in its order.
   *
   * @throws IOException if the validator does
   */
  public static List<Diagnostic> errors(TraceValidator validator, Path directory)
      throws IOException {
    return validator.validate(directory, Progress.NONE).diagnostics().stream()
        .filter(each -> each.severity() == Severity.ERROR)
        .toList();
  }
}
