package org.stage.cli;

import java.util.concurrent.Callable;
import org.stage.app.Catalogue;
import picocli.CommandLine.Command;

/** {@code stage schema}. */
@Command(name = "schema", description = "Prints the JSON Schema of workload files.")
final class SchemaCommand implements Callable<Integer> {
  private final Stage stage;

  SchemaCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    stage.world().out().println(Catalogue.schema().stripTrailing());
    return ExitCode.DONE;
  }
}
