package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManualTest {
  private static List<String> names(CommandSpec spec) {
    List<String> names = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      names.addAll(List.of(option.names()));
    }
    spec.subcommands()
        .forEach(
            (name, command) -> {
              names.add(name);
              names.addAll(names(command.getCommandSpec()));
            });
    return names;
  }

  @Test
  void namesEveryCommandAndEveryOption() throws Exception {
    String manual = Files.readString(Path.of("../../docs/command-line.md"));
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    World world =
        World.real(nowhere, nowhere, false, new Interruption(new PrintWriter(Writer.nullWriter())));

    assertThat(names(CommandTree.of(world).spec()))
        .contains("synth", "--force", "--json", "modules")
        .allSatisfy(name -> assertThat(manual).contains(name));
  }
}
