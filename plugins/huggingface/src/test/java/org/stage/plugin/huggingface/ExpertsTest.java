package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Experts;
import org.stage.api.model.ModelDescription.Latent;
import org.stage.api.plugin.ModelImporter.Imported;

/** Models with experts, with latent attention, with norms on queries and keys. */
class ExpertsTest {
  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @Test
  void everyLayerOfMixtralHasExpertsOfTheFeedForwardWidth() {
    ModelDescription model = read("{\"model_type\": \"mixtral\", \"intermediate_size\": 16384}");

    assertThat(model.experts()).contains(new Experts(8, 2, 16384, 0, 0));
    assertThat(model.kvHeads()).isEqualTo(8);
    assertThat(model.tied()).isFalse();
    assertThat(parameters(read("{\"model_type\": \"mixtral\"}"))).isEqualTo(46_702_792_704L);
  }

  @Test
  void deepSeekV3IsTheDefaultOfItsFamily() {
    ModelDescription model = read("{\"model_type\": \"deepseek_v3\"}");

    assertThat(model.experts()).contains(new Experts(256, 8, 2048, 1, 3, true));
    assertThat(model.latent()).contains(new Latent(1536, 512, 128, 64, 128));
    assertThat(model.headDim()).isEqualTo(192);
    assertThat(parameters(model)).isEqualTo(671_026_419_200L);
  }

  @Test
  void deepSeekV2LiteMakesItsQueriesFromTheResidualStream() {
    String json =
        "{\"model_type\": \"deepseek_v2\", \"num_hidden_layers\": 27, \"hidden_size\": 2048,"
            + " \"num_attention_heads\": 16, \"intermediate_size\": 10944, \"vocab_size\": 102400,"
            + " \"q_lora_rank\": null, \"moe_intermediate_size\": 1408, \"num_experts_per_tok\": 6,"
            + " \"first_k_dense_replace\": 1, \"topk_method\": \"greedy\"}";
    ModelDescription model = read(json);

    assertThat(model.latent()).contains(new Latent(0, 512, 128, 64, 128));
    assertThat(model.experts()).contains(new Experts(64, 6, 1408, 2, 1));
    // 15.7 billion, as its card says.
    assertThat(parameters(model)).isEqualTo(15_706_484_224L);
  }

  @Test
  void qwen3HasNormsOnQueriesAndKeysAndAWidthOfHeadOfItsOwn() {
    ModelDescription model =
        read("{\"model_type\": \"qwen3\", \"hidden_size\": 5120, \"num_attention_heads\": 64}");

    assertThat(model.qkNorm()).isTrue();
    assertThat(model.headDim()).isEqualTo(128);
    assertThat(model.qkvBias()).isFalse();
    assertThat(model.experts()).isEmpty();
  }

  @Test
  void layersOfQwen3MoeThatAreListedAreDense() {
    ModelDescription model =
        read("{\"model_type\": \"qwen3_moe\", \"mlp_only_layers\": [1, 0], \"head_dim\": 128}");

    assertThat(model.experts()).contains(new Experts(128, 8, 768, 0, 2));
  }

  @Test
  void aDeepSeekWithoutRoutedExpertsIsDense() {
    assertThat(read("{\"model_type\": \"deepseek\", \"n_routed_experts\": null}").experts())
        .isEmpty();
    assertThat(read("{\"model_type\": \"deepseek\"}").latent()).isEmpty();
  }

  @Test
  void layersForMultiTokenPredictionAreLeftOutAndNoted() {
    Imported imported =
        imported("{\"model_type\": \"deepseek_v3\", \"num_nextn_predict_layers\": 1}");

    assertThat(imported.notes())
        .extracting(Diagnostic::message)
        .anySatisfy(note -> assertThat(note).startsWith("has num_nextn_predict_layers 1, which"));
  }

  /** The published configurations, where they are at hand. */
  @ParameterizedTest
  @CsvSource({
    "Mixtral-8x7B, 46702792704",
    "Mixtral-8x22B, 140620634112",
    "DeepSeek-MoE-16B, 16375728128",
    "DeepSeek-V2, 235741434880",
    "DeepSeek-V3, 671026419200",
    "DeepSeek-R1, 671026419200",
    "Kimi-K2, 1026408232448",
    "Qwen3-32B, 32762123264",
    "Qwen3-235B-A22B, 235093634560"
  })
  void aPublishedConfigurationHasThePublishedNumberOfParameters(String name, long parameters) {
    Path file =
        Path.of(System.getProperty("stage.shared", "/nowhere"))
            .resolve("reference/hf/" + name + ".json");
    Assumptions.assumeThat(file).exists();

    assertThat(parameters(importer.read(file).model())).isEqualTo(parameters);
  }

  /** Counted apart from the engine: weights of a SwiGLU decoder without biases. */
  private static long parameters(ModelDescription model) {
    long hidden = model.hidden();
    Experts none = new Experts(0, 0, 0, 0, model.layers());
    Experts experts = model.experts().orElse(none);
    long expertLayers = (long) model.layers() - experts.denseLayers();
    long router = hidden * experts.count() + (experts.choiceBias() ? experts.count() : 0);
    long mixture = router + 3 * hidden * experts.ffn() * (experts.count() + experts.shared());
    return model.layers() * (attention(model) + 2 * hidden)
        + experts.denseLayers() * 3 * hidden * model.ffn()
        + expertLayers * mixture
        + model.vocab() * hidden * (model.tied() ? 1 : 2)
        + hidden;
  }

  private static long attention(ModelDescription model) {
    long hidden = model.hidden();
    long heads = model.heads();
    if (model.latent().isEmpty()) {
      long norms = model.qkNorm() ? 2L * model.headDim() : 0;
      return 2 * hidden * model.headDim() * (heads + model.kvHeads()) + norms;
    }
    Latent latent = model.latent().get();
    long width = (long) latent.plain() + latent.rotary();
    long queries =
        latent.queries() == 0
            ? hidden * heads * width
            : latent.queries() * (hidden + 1 + heads * width);
    return queries
        + hidden * (latent.keysAndValues() + latent.rotary())
        + latent.keysAndValues() * (1 + heads * (latent.plain() + latent.values()))
        + heads * latent.values() * hidden;
  }

  private ModelDescription read(String json) {
    return imported(json).model();
  }

  private Imported imported(String json) {
    try {
      return importer.read(Files.writeString(folder.resolve("tiny.json"), json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
