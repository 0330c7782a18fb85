package org.stage.cli;

import java.nio.file.Path;
import org.stage.app.Output;
import picocli.CommandLine.Option;

/** Where exports go, and of which ranks. */
final class ExportOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Each exporter writes into a folder of its name in it (default: out).")
  private Path out = Path.of("out");

  @Option(
      names = "--ranks",
      paramLabel = "RANKS",
      description = "The ranks whose files are wanted, for example 0-7,64; by default all.")
  private String ranks = "";

  @Option(names = "--force", description = "Replaces output that is there already.")
  private boolean force;

  @Option(
      names = "--fail-if-lossy",
      description = "Fails, and leaves no output, where a format cannot say all.")
  private boolean failIfLossy;

  @Option(names = "--json", description = "Prints JSON in place of the table in the end.")
  private boolean json;

  /** Whether the result is printed for scripts. */
  boolean json() {
    return json;
  }

  Output output() {
    return new Output(out, ranks, force, failIfLossy);
  }
}
