package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.spec.ProfileSource;
import picocli.CommandLine.Option;

/** Profiles whose durations are used. */
final class ProfileOption {
  @Option(
      names = "--profile",
      paramLabel = "FILE",
      arity = "1..*",
      description = {
        "Profiles of a real run, whose durations are used beside those that the file names.",
        "Stands behind the workload file."
      })
  private List<Path> files = new ArrayList<>();

  /** Where profiles come from; {@code plugins} are asked only if there are any. */
  ProfileSource source(Stage stage, LazyPlugins plugins) {
    return new ProfileSource(new ProfileImports(stage, plugins), files);
  }
}
