package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.spec.WorkloadReader;
import org.stage.spec.WorkloadSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A workload file and what is overridden in it. */
final class WorkloadOptions {
  @Parameters(index = "0", paramLabel = "FILE", description = "The workload file, YAML or JSON.")
  private Path file = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "Overrides a key of the file by its path, for example mesh.tp=8.",
        "May be given again."
      })
  private List<String> overrides = new ArrayList<>();

  /** Reads it; {@code plugins} are asked only if the model is a path. */
  WorkloadSpec read(Stage stage, LazyPlugins plugins) {
    return WorkloadReader.read(file, overrides, new ModelImports(stage, plugins));
  }
}
