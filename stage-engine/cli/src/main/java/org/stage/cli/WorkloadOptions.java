package org.stage.cli;

import java.nio.file.Path;
import org.stage.spec.WorkloadReader;
import org.stage.spec.WorkloadSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A workload file and what is overridden in it. */
final class WorkloadOptions {
  @Parameters(index = "0", paramLabel = "FILE", description = "The workload file, YAML or JSON.")
  private Path file = Path.of("");

  @Mixin private OverrideOption overrides = new OverrideOption();

  @Mixin private ProfileOption profiles = new ProfileOption();

  Path file() {
    return file;
  }

  /** Reads it; {@code plugins} are asked only if the model is a path, or for profiles. */
  WorkloadSpec read(Stage stage, LazyPlugins plugins) {
    return WorkloadReader.read(
        file,
        overrides.values(),
        new ModelImports(stage, plugins),
        profiles.source(stage, plugins));
  }
}
