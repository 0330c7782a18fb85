package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Value;
import org.stage.api.keys.WorkloadKeys.Whole;
import org.stage.api.plugin.ModelImporter.Imported;

/** Models with experts, with latent attention, with norms on queries and keys. */
class ExpertsTest {
  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @Test
  void everyLayerOfMixtralHasExpertsOfTheFeedForwardWidth() {
    assertThat(typed("{\"model_type\": \"mixtral\", \"intermediate_size\": 16384}"))
        .contains("model.kv_heads: 8", "model.tied: false")
        .endsWith(
            "model.experts: 8",
            "model.experts_per_token: 2",
            "model.expert_ffn: 16384",
            "model.shared_experts: 0",
            "model.dense_layers: 0");
    assertThat(parameters(read("{\"model_type\": \"mixtral\"}"))).isEqualTo(46_702_792_704L);
  }

  @Test
  void deepSeekV3IsTheDefaultOfItsFamily() {
    String json = "{\"model_type\": \"deepseek_v3\"}";

    assertThat(typed(json))
        .endsWith(
            "model.parallel_block: false",
            "model.q_latent: 1536",
            "model.kv_latent: 512",
            "model.plain_dim: 128",
            "model.rotary_dim: 64",
            "model.value_dim: 128",
            "model.experts: 256",
            "model.experts_per_token: 8",
            "model.expert_ffn: 2048",
            "model.shared_experts: 1",
            "model.dense_layers: 3",
            "model.choice_bias: true");
    assertThat(parameters(read(json))).isEqualTo(671_026_419_200L);
  }

  @Test
  void deepSeekV2LiteMakesItsQueriesFromTheResidualStream() {
    String json =
        "{\"model_type\": \"deepseek_v2\", \"num_hidden_layers\": 27, \"hidden_size\": 2048,"
            + " \"num_attention_heads\": 16, \"intermediate_size\": 10944, \"vocab_size\": 102400,"
            + " \"q_lora_rank\": null, \"moe_intermediate_size\": 1408, \"num_experts_per_tok\": 6,"
            + " \"first_k_dense_replace\": 1, \"topk_method\": \"greedy\"}";

    assertThat(typed(json))
        .contains("model.q_latent: 0", "model.kv_latent: 512")
        .endsWith(
            "model.experts: 64",
            "model.experts_per_token: 6",
            "model.expert_ffn: 1408",
            "model.shared_experts: 2",
            "model.dense_layers: 1");
    // 15.7 billion, as its card says.
    assertThat(parameters(read(json))).isEqualTo(15_706_484_224L);
  }

  @Test
  void qwen3HasNormsOnQueriesAndKeysAndAWidthOfHeadOfItsOwn() {
    assertThat(
            typed(
                "{\"model_type\": \"qwen3\", \"hidden_size\": 5120, \"num_attention_heads\": 64}"))
        .endsWith("model.parallel_block: false", "model.head_dim: 128", "model.qk_norm: true");
  }

  @Test
  void layersOfQwen3MoeThatAreListedAreDense() {
    assertThat(
            typed(
                "{\"model_type\": \"qwen3_moe\", \"mlp_only_layers\": [1, 0], \"head_dim\": 128}"))
        .endsWith(
            "model.experts: 128",
            "model.experts_per_token: 8",
            "model.expert_ffn: 768",
            "model.shared_experts: 0",
            "model.dense_layers: 2");
  }

  @Test
  void aDeepSeekWithoutRoutedExpertsIsDense() {
    assertThat(typed("{\"model_type\": \"deepseek\", \"n_routed_experts\": null}"))
        .noneMatch(key -> key.contains("expert"));
  }

  @Test
  void theFirstDeepSeekHasNoLatentAttention() {
    String json =
        "{\"model_type\": \"deepseek\", \"n_routed_experts\": 64, \"num_experts_per_tok\": 6}";

    assertThat(typed(json))
        .contains("model.experts: 64", "model.experts_per_token: 6")
        .noneMatch(key -> key.contains("latent"));
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

    assertThat(parameters(importer.read(file).keys())).isEqualTo(parameters);
  }

  /** Counted apart from the engine: weights of a SwiGLU decoder without biases. */
  private static long parameters(WorkloadKeys model) {
    long hidden = number(model, "hidden");
    long layers = number(model, "layers");
    long experts = number(model, "experts");
    long dense = experts == 0 ? layers : number(model, "dense_layers");
    long router = hidden * experts + number(model, "choice_bias") * experts;
    long mixture =
        router
            + 3
                * hidden
                * number(model, "expert_ffn")
                * (experts + number(model, "shared_experts"));
    return layers * (attention(model) + 2 * hidden)
        + dense * 3 * hidden * number(model, "ffn")
        + (layers - dense) * mixture
        + number(model, "vocab") * hidden * (2 - number(model, "tied"))
        + hidden;
  }

  private static long attention(WorkloadKeys model) {
    long hidden = number(model, "hidden");
    long heads = number(model, "heads");
    long keysAndValues = number(model, "kv_latent");
    if (keysAndValues == 0) {
      long said = number(model, "head_dim");
      long headDim = said == 0 ? hidden / heads : said;
      return 2 * hidden * headDim * (heads + number(model, "kv_heads"))
          + 2 * headDim * number(model, "qk_norm");
    }
    long queries = number(model, "q_latent");
    long rotary = number(model, "rotary_dim");
    long plain = number(model, "plain_dim");
    long values = number(model, "value_dim");
    long width = plain + rotary;
    return (queries == 0 ? hidden * heads * width : queries * (hidden + 1 + heads * width))
        + hidden * (keysAndValues + rotary)
        + keysAndValues * (1 + heads * (plain + values))
        + heads * values * hidden;
  }

  /** A flag counts 1, what is left out 0. */
  private static long number(WorkloadKeys model, String name) {
    Value value = model.values().getOrDefault("model." + name, new Whole(0));
    return value instanceof Flag flag ? (flag.set() ? 1 : 0) : ((Whole) value).number();
  }

  private List<String> typed(String json) {
    return read(json).toString().lines().toList();
  }

  private WorkloadKeys read(String json) {
    return imported(json).keys();
  }

  private Imported imported(String json) {
    try {
      return importer.read(Files.writeString(folder.resolve("tiny.json"), json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
