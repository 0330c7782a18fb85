package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  @TempDir static Path home;
  @TempDir Path temp;
  private Path traces;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
  }

  @BeforeEach
  void writeTraces() throws IOException {
    traces = Files.createDirectory(temp.resolve("fake"));
    Files.writeString(traces.resolve("0.fake"), "rank");
    Files.writeString(traces.resolve("1.fake"), "rank");
  }

  @Test
  void findsTheFormatByItself() {
    assertThat(Run.of(home, "validate", traces.toString()))
        .isEqualTo(new Run(0, "fake: 2 ranks: no faults\n", ""));
  }

  @Test
  void namesEveryFaultAndExitsWithOne() throws Exception {
    Files.writeString(traces.resolve("1.fake"), "x");

    assertThat(Run.of(home, "validate", traces.toString(), "--from", "fake"))
        .isEqualTo(new Run(1, "error: 1.fake: not 'rank'\nfake: 2 ranks: 1 fault\n", ""));
  }

  @Test
  void saysTheSameForScripts() throws Exception {
    Files.writeString(traces.resolve("1.fake"), "x");
    Run run = Run.of(home, "validate", traces.toString(), "--json");
    JsonNode said = new ObjectMapper().readTree(run.out());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(said.get("format").textValue()).isEqualTo("fake");
    assertThat(said.get("summary").textValue()).isEqualTo("2 ranks");
    assertThat(said.get("faults").intValue()).isEqualTo(1);
    assertThat(said.get("diagnostics").get(0).get("source").textValue()).isEqualTo("1.fake");
    assertThat(said.get("diagnostics").get(0).get("severity").textValue()).isEqualTo("error");
  }

  @Test
  void pointsToTheTracesInside() {
    Run run = Run.of(home, "validate", temp.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("holds no traces of a known format. Did you mean " + traces + "?");
  }

  @Test
  void listsTheFormatsThereAre() throws Exception {
    Files.delete(traces.resolve("0.fake"));

    assertThat(Run.of(home, "validate", traces.toString()).err()).contains("Known are: fake.");
    assertThat(Run.of(home, "validate", traces.toString(), "--from", "x").err())
        .contains("--from: there is no format to validate 'x'. There are: fake.");
  }

  @Test
  void refusesAFolderThatIsNotThere() {
    Run run = Run.of(home, "validate", temp.resolve("nowhere").toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("nowhere: does not exist");
  }
}
