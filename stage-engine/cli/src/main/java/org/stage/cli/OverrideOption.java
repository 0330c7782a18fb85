package org.stage.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What is overridden in workload files. */
final class OverrideOption {
  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "Overrides a key of the file (of each, if there are several) by its path, for example"
            + " mesh.tp=8.",
        "May be given again."
      })
  private List<String> overrides = new ArrayList<>();

  List<String> values() {
    return overrides;
  }
}
