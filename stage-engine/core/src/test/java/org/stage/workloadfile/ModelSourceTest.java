package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Activation;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.job.Job;

class ModelSourceTest {
  private static final ModelDescription QWEN = model(28, 7168, 128);

  private final List<String> resolved = new ArrayList<>();

  @TempDir Path folder;

  private static ModelDescription model(int layers, int hidden, int headDim) {
    return new ModelDescription(
        "qwen",
        layers,
        hidden,
        56,
        4,
        headDim,
        18944,
        152064,
        0,
        Norm.RMSNORM,
        Activation.SWIGLU,
        false,
        true,
        false,
        false);
  }

  @BeforeEach
  void makeFile() throws IOException {
    Files.createDirectories(folder.resolve("models"));
    Files.writeString(folder.resolve("models/config.json"), "{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"models/config.json", "./models", "models/../models/config.json"})
  void aModelMayBeAPathFromTheFolderOfTheFile(String path) {
    assertThat(read("model: " + path, QWEN).model()).isEqualTo(QWEN);
    assertThat(resolved).hasSize(1);
    assertThat(resolved.get(0))
        .startsWith(folder.resolve(path).toString())
        .endsWith("w.yaml, line 1, model");
  }

  @Test
  void aModelMayBeAnAbsolutePath() {
    Path file = folder.resolve("models/config.json");

    assertThat(read("model: " + file, QWEN).model()).isEqualTo(QWEN);
    assertThat(resolved.get(0)).startsWith(file.toString());
  }

  @Test
  void everyFieldOfAnImportedModelArrives() {
    ModelDescription other =
        new ModelDescription(
            "other",
            3,
            96,
            4,
            1,
            32,
            100,
            50,
            77,
            Norm.LAYERNORM,
            Activation.GELU,
            true,
            true,
            true,
            true);

    assertThat(read("model: models/config.json", other).model()).isEqualTo(other);
  }

  @Test
  void anImportedModelMayBeChanged() {
    ModelDescription changed =
        read("model: {preset: models/config.json, layers: 12}", QWEN).model();

    assertThat(changed.name()).isEqualTo("qwen-changed");
    assertThat(changed.layers()).isEqualTo(12);
    assertThat(changed.qkvBias()).isTrue();
    assertThat(resolved.get(0)).endsWith("w.yaml, line 1, model.preset");
  }

  @Test
  void theWidthOfAHeadFollowsAChangedModelUnlessTheFileSaysOtherwise() {
    String changed = "model: {preset: models/config.json, hidden: 3584}";

    assertThat(read(changed, QWEN).model().headDim()).isEqualTo(64);
    assertThat(read(changed, model(28, 7168, 256)).model().headDim()).isEqualTo(256);
  }

  @Test
  void theCommandLineMayNameAPath() {
    String job = "model: llama-3.1-8b";
    String path = folder.resolve("models").toString();

    assertThat(read(job, QWEN, "model=" + path).model()).isEqualTo(QWEN);
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
    assertThatThrownBy(() -> read("model: models/config.json", model(0, 7168, 128)))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("w.yaml, line 1, model.layers: 0 is out of range");
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

  private Job read(String model, ModelDescription answer, String... overrides) {
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
