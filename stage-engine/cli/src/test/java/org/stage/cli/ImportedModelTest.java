package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model named by its path, from the command line to the importer in its JAR and back. */
class ImportedModelTest {
  private static final String LLAMA =
      """
      {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
       "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
       "num_key_value_heads": 8, "vocab_size": 128256, "hidden_act": "silu",
       "tie_word_embeddings": false, "head_dim": 128, "attention_bias": false}
      """;

  @TempDir static Path home;
  @TempDir static Path empty;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
    PackedImporter.write(home.resolve("plugins"));
    Files.createDirectories(home.resolve("models/llama"));
    Files.writeString(home.resolve("models/llama/config.json"), LLAMA);
    Files.writeString(home.resolve("models/olmo2.json"), LLAMA.replace("\"llama\"", "\"olmo2\""));
    Files.writeString(home.resolve("models/notes.md"), "no model");
  }

  private static Run inspect(String model, String... options) {
    return inspect(home, model, options);
  }

  private static Run inspect(Path from, String model, String... options) {
    String[] args = new String[options.length + 4];
    args[0] = "inspect";
    args[1] = home.resolve("job.yaml").toString();
    args[2] = "--set";
    args[3] = "model=" + model;
    System.arraycopy(options, 0, args, 4, options.length);
    return Run.of(from, args);
  }

  @Test
  void isImportedFromTheFolderOfTheWorkloadFile() throws Exception {
    Path job = home.resolve("imported.yaml");
    Files.writeString(
        job,
        Files.readString(home.resolve("job.yaml"))
            .replaceFirst("model: .*", "model: models/llama/config.json"));

    Run run = Run.of(home, "inspect", job.toString(), "--json");

    assertThat(run.exit()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "note: "
                + home.resolve("models/llama/config.json")
                + ": does not say everything; by the defaults of llama: mlp_bias false\n");
    assertThat(new ObjectMapper().readTree(run.out()).at("/model/name").textValue())
        .isEqualTo("llama");
    assertThat(new ObjectMapper().readTree(run.out()).at("/model/parameters").longValue())
        .isEqualTo(8_030_261_248L);
  }

  @Test
  void mayBeChangedAndExported(@TempDir Path out) {
    Run run =
        Run.of(
            home,
            "synth",
            home.resolve("job.yaml").toString(),
            "--set=model={preset: models/llama, layers: 2}",
            "--out",
            out.resolve("traces").toString());

    assertThat(run.err()).startsWith("note: ").contains("warning: fake: drops names");
    assertThat(run.exit()).isZero();
    assertThat(out.resolve("traces/fake/7.fake")).exists();
  }

  @Test
  void isQuietWhenAskedToBe() {
    assertThat(inspect("models/llama", "-q").err()).isEmpty();
  }

  @Test
  void isRefusedByTheKeyThatIsInTheWay() {
    Run run = inspect("models/olmo2.json");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("error: " + home.resolve("models/olmo2.json") + ", model_type: olmo2 needs ")
        .doesNotContain("\tat ");
  }

  @Test
  void isRefusedIfItIsNotThere() {
    Run run = inspect("models/none.json");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: --set model: there is no file 'models/none.json'. ");
  }

  @Test
  void isRefusedIfNoImporterReadsIt() {
    Run run = inspect("models/notes.md");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("error: --set model: no importer reads ")
        .contains("There are: huggingface (config.json of a Hugging Face repository).");
  }

  @Test
  void needsAPlugin() {
    Run run = inspect(empty, "models/llama");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("No plugin imports models: name a folder with plugins by ");
    String plugins = home.resolve("plugins").toString();
    assertThat(inspect(empty, "models/llama", "--plugins", plugins).exit()).isZero();
  }

  @Test
  void otherwiseNoPluginIsLoaded() throws IOException {
    Path broken = Files.createDirectories(empty.resolve("broken"));
    Files.writeString(broken.resolve("broken.jar"), "no JAR");
    Map<String, String> environment = Map.of("STAGE_PLUGINS", broken.toString());
    String job = home.resolve("job.yaml").toString();

    assertThat(
            Run.of(
                    home,
                    environment,
                    new Interruption(new PrintWriter(Writer.nullWriter())),
                    "inspect",
                    job)
                .err())
        .isEmpty();
    assertThat(
            Run.of(
                    home,
                    environment,
                    new Interruption(new PrintWriter(Writer.nullWriter())),
                    "inspect",
                    job,
                    "--set=model=models/llama")
                .err())
        .contains("warning: plugin broken.jar: ");
  }
}
