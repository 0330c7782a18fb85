package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Items;
import org.stage.api.keys.WorkloadKeys.Text;
import org.stage.api.keys.WorkloadKeys.Value;
import org.stage.api.keys.WorkloadKeys.Whole;
import org.stage.job.Block;
import org.stage.job.Block.FeedForward;
import org.stage.job.Job;
import org.stage.job.Model;
import org.stage.job.Model.Dimensions;
import org.stage.job.Model.Ends;

class ModelSourceTest {
  private static final WorkloadKeys QWEN =
      WorkloadKeys.NONE
          .with("model.name", "qwen")
          .with("model.family", "llama")
          .with("model.layers", 28)
          .with("model.hidden", 7168)
          .with("model.heads", 56)
          .with("model.kv_heads", 4)
          .with("model.ffn", 18944)
          .with("model.vocab", 152064)
          .with("model.qkv_bias", true);

  private final List<String> resolved = new ArrayList<>();

  @TempDir Path folder;

  @BeforeEach
  void makeFile() throws IOException {
    Files.createDirectories(folder.resolve("models"));
    Files.writeString(folder.resolve("models/config.json"), "{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"models/config.json", "./models", "models/../models/config.json"})
  void aModelMayBeAPathFromTheFolderOfTheFile(String path) {
    assertThat(read("model: " + path, QWEN).model().ffn()).isEqualTo(18944);
    assertThat(resolved).hasSize(1);
    assertThat(resolved.get(0))
        .startsWith(folder.resolve(path).toString())
        .endsWith("w.yaml, line 1, model");
  }

  @Test
  void aModelMayBeAnAbsolutePath() {
    Path file = folder.resolve("models/config.json");

    assertThat(read("model: " + file, QWEN).model().ffn()).isEqualTo(18944);
    assertThat(resolved.get(0)).startsWith(file.toString());
  }

  @Test
  void theKeysOfAnImportedModelAreReadAsIfTheyWereTyped() {
    Set<String> features = Set.of("rms_norm", "swiglu", "rotary", "sequential_block", "qkv_bias");
    assertThat(read("model: models/config.json", QWEN).model())
        .isEqualTo(
            Model.builder(
                    "qwen",
                    new Ends("embedding", "head", "weight", features, false),
                    new Dimensions(56, 4, 18944, 152064, 0))
                .run(new Block("attention", new FeedForward("mlp", false), features), 28)
                .size("embed", 7168)
                .size("heads", 56)
                .size("kv_heads", 4)
                .size("head_dim", 128)
                .size("mlp", 18944)
                .size("vocab", 152064)
                .size("positions", 0)
                .size("q_latent", 0)
                .build());
  }

  @Test
  void anImportedModelMayBeChanged() {
    Model changed = read("model: {preset: models/config.json, layers: 12}", QWEN).model();

    assertThat(changed.name()).isEqualTo("qwen-changed");
    assertThat(changed.layers()).isEqualTo(12);
    assertThat(changed.block(11).features()).contains("qkv_bias");
    assertThat(resolved.get(0)).endsWith("w.yaml, line 1, model.preset");
  }

  @Test
  void theWidthOfAHeadFollowsAChangedModelUnlessTheFileSaysOtherwise() {
    String changed = "model: {preset: models/config.json, hidden: 3584}";

    assertThat(read(changed, QWEN).model().sizes()).containsEntry("head_dim", 64L);
    assertThat(read(changed, QWEN.with("model.head_dim", 256)).model().sizes())
        .containsEntry("head_dim", 256L);
  }

  @Test
  void theCommandLineMayNameAPath() {
    String job = "model: llama-3.1-8b";
    String path = folder.resolve("models").toString();

    assertThat(read(job, QWEN, "model=" + path).model().ffn()).isEqualTo(18944);
    assertThat(read("model: " + path, QWEN, "model.layers=2").model().layers()).isEqualTo(2);
    assertThat(resolved.get(0)).endsWith("--set model");
  }

  @Test
  void aPresetAsksNoResolver() {
    assertThat(read("model: llama-3.1-8b", QWEN).model().name()).isEqualTo("llama-3.1-8b");
    assertThat(resolved).isEmpty();
  }

  @Test
  void whatAnImporterSaysIsCheckedAsIfItWereTyped() {
    refused("model.positions", new Whole(-1), "model.positions: -1 is out of range");
    refused("model.norm", new Text("batch"), "model.norm: there is no 'batch' here");
    refused("model.tied", new Text("true"), "model.tied: 'true' is not one of true, false");
    refused("model.tied", new Items(List.of(new Flag(true))), "model.tied: a list is not");
    refused("model.expert", new Whole(8), "model: there is no key 'expert' in model");
    refused("training.seq", new Whole(8), "model: there is no key 'training.seq' in model");
  }

  private void refused(String key, Value value, String expected) {
    assertThatThrownBy(() -> read("model: models/config.json", QWEN.with(key, value)))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("w.yaml, line 1, " + expected);
  }

  @Test
  void whatAnImporterDoesNotSayIsMissing() {
    WorkloadKeys family = WorkloadKeys.NONE.with("model.family", "gpt");

    assertThatThrownBy(() -> read("model: models/config.json", family))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("w.yaml, line 1, model.layers: is missing");
  }

  @Test
  void anImportedModelWithoutANameIsCustomChangedOrNot() {
    WorkloadKeys nameless =
        WorkloadKeys.NONE
            .with("model.family", "gpt")
            .with("model.layers", 2)
            .with("model.hidden", 64)
            .with("model.heads", 4)
            .with("model.vocab", 100);
    String changed = "model: {preset: models/config.json, layers: 3}";

    assertThat(read("model: models/config.json", nameless).model().name()).isEqualTo("custom");
    assertThat(read(changed, nameless).model().name()).isEqualTo("custom");
  }

  @Test
  void withoutAResolverAPathIsRefused() throws IOException {
    Path job = Files.writeString(folder.resolve("w.yaml"), text("model: models/config.json"));

    assertThatThrownBy(() -> WorkloadReader.read(job, List.of()))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("line 1, model: nothing here can import a model from ");
  }

  private static String text(String model) {
    return model + "\ntraining: {global_batch: 8, seq: 64}\n";
  }

  private Job read(String model, WorkloadKeys answer, String... overrides) {
    try {
      Path job = Files.writeString(folder.resolve("w.yaml"), text(model));
      return WorkloadReader.read(
              job,
              List.of(overrides),
              (file, source) -> {
                resolved.add(file + " for " + source);
                return answer;
              })
          .job();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
