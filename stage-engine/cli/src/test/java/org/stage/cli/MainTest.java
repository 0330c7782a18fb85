package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @TempDir Path home;

  @Test
  void printsItsVersion() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exit = Main.run(new PrintWriter(out), new PrintWriter(err), "--version");

    assertThat(exit).isZero();
    assertThat(out.toString()).matches("stage \\S+\\R");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "synth",
        "inspect",
        "convert",
        "validate",
        "profile",
        "plugins",
        "models",
        "hardware",
        "schema"
      })
  void explainsEveryCommand(String command) {
    Run run = Run.of(home, command, "--help");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).startsWith("Usage: stage " + command).contains("--debug");
    assertThat(Run.of(home, "--help").out()).contains("  " + command + " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"modules"})
  void refusesByNameWhatIsNotBuiltYet(String command) {
    assertThat(Run.of(home, command, "x", "--from", "chakra"))
        .isEqualTo(
            new Run(2, "", "error: `stage " + command + "` is not available in this version\n"));
  }

  @Test
  void suggestsTheCommandThatWasMeant() {
    Run run = Run.of(home, "inspct", "x.yaml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("Did you mean: stage inspect ").contains("stage --help");
  }

  @Test
  void suggestsTheOptionThatWasMeant() {
    Run run = Run.of(home, "synth", "x.yaml", "--forse");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--forse").contains("--force").contains("stage synth --help");
  }

  @Test
  void asksForACommandAndShowsThoseThereAre() {
    Run bare = Run.of(home);

    assertThat(bare.exit()).isEqualTo(2);
    assertThat(bare.out()).isEmpty();
    assertThat(bare.err())
        .startsWith("error: no command is given\nUsage: stage ")
        .contains("synth");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspct", "plugins lst", "models x"})
  void helpOfWhatThereIsNotIsAnError(String command) {
    Run run = Run.of(home, (command + " --help").split(" "));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: Unmatched argument ");
  }

  @Test
  void optionsThatExcludeOneAnotherAreOneError() {
    Run run = Run.of(home, "inspect", "x.yaml", "--json", "--csv");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: --").contains("mutually exclusive");
  }

  @Test
  void listsHardwareForScripts() throws Exception {
    JsonNode devices = new ObjectMapper().readTree(Run.of(home, "hardware", "--json").out());

    assertThat(devices)
        .anySatisfy(
            device -> {
              assertThat(device.get("name").textValue()).isEqualTo("h100");
              assertThat(device.get("memory_gb_per_s").intValue()).isEqualTo(3350);
              assertThat(device.get("peak_tflops").get("bf16").doubleValue()).isEqualTo(989);
              assertThat(device.get("source").textValue()).isNotBlank();
            });
  }

  @Test
  void listsModelsForScripts() throws Exception {
    JsonNode models = new ObjectMapper().readTree(Run.of(home, "models", "--json").out());

    assertThat(models)
        .anySatisfy(
            model -> {
              assertThat(model.get("name").textValue()).isEqualTo("llama-3.1-8b");
              assertThat(model.get("parameters").longValue()).isEqualTo(8_030_261_248L);
              assertThat(model.get("active_parameters").longValue()).isEqualTo(8_030_261_248L);
              assertThat(model.get("layers").intValue()).isEqualTo(32);
              assertThat(model.get("source").textValue()).isNotBlank();
            })
        .anySatisfy(
            model -> {
              assertThat(model.get("name").textValue()).isEqualTo("mixtral-8x7b");
              assertThat(model.get("active_parameters").longValue()).isEqualTo(12_879_925_248L);
            });
  }

  @Test
  void listsModelsAndHardwareForPeople() {
    assertThat(Run.of(home, "models").out()).contains("llama-3.1-8b  ").contains("8,030,261,248");
    assertThat(Run.of(home, "hardware").out()).contains("h100").contains("bf16 989");
  }

  @Test
  void printsTheSchema() throws Exception {
    JsonNode schema = new ObjectMapper().readTree(Run.of(home, "schema").out());

    assertThat(schema.has("$schema")).isTrue();
  }
}
