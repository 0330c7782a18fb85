package org.stage.plugin.huggingface;

import java.util.List;
import org.stage.plugin.huggingface.Family.Biases;
import org.stage.plugin.huggingface.Family.Demand;
import org.stage.plugin.huggingface.Family.Parts;
import org.stage.plugin.huggingface.Family.Shape;
import org.stage.plugin.huggingface.Family.Sizes;
import org.stage.plugin.huggingface.Mixture.Experts;

/** The families that can be read, with the defaults that the library of their models has. */
final class Families {
  private static final Demand NO_ATTENTION_BIAS =
      new Demand("attention_bias", "false", "biases on the projections of attention alone");

  private static final Shape LLAMA_SHAPE =
      new Shape("llama", "rmsnorm", "swiglu", "silu", Biases.NONE, false, false);

  private static final Shape GPT2_SHAPE =
      new Shape("gpt", "layernorm", "gelu", "gelu_new", Biases.ALL, true, false);

  private static final Sizes DEEPSEEK_V3 = new Sizes(61, 7168, 128, 128, 18432, 129280, 0);

  private static final Experts DEEPSEEK_V3_EXPERTS = new Experts(256, 8, 2048, 1, 3);

  /** All of them, by name. */
  static final List<Family> ALL =
      List.of(
          cohere(),
          deepseek(
              "deepseek",
              "DeepseekForCausalLM",
              new Sizes(30, 4096, 32, 0, 11008, 102400, 0),
              Mixture.Keys.DEEPSEEK,
              new Experts(0, 0, 1407, 0, 0)),
          deepseek(
              "deepseek_v2",
              "DeepseekV2ForCausalLM",
              new Sizes(32, 4096, 32, 0, 11008, 32000, 0),
              Mixture.Keys.DEEPSEEK,
              new Experts(64, 0, 1407, 2, 0)),
          deepseek(
              "deepseek_v3",
              "DeepseekV3ForCausalLM",
              DEEPSEEK_V3,
              Mixture.Keys.DEEPSEEK_V3,
              DEEPSEEK_V3_EXPERTS),
          new Family(
              "gpt2",
              "GPT2LMHeadModel",
              Naming.GPT2,
              new Sizes(12, 768, 12, 0, 0, 50257, 1024),
              GPT2_SHAPE,
              List.of()),
          new Family(
              "gpt_bigcode",
              "GPTBigCodeForCausalLM",
              Naming.GPT2,
              new Sizes(12, 768, 12, 1, 0, 50257, 1024),
              GPT2_SHAPE.with("gelu_pytorch_tanh"),
              List.of()),
          deepseek(
              "kimi_k2",
              "DeepseekV3ForCausalLM",
              DEEPSEEK_V3,
              Mixture.Keys.DEEPSEEK_V3,
              DEEPSEEK_V3_EXPERTS),
          new Family(
              "llama",
              "LlamaForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 0, 11008, 32000, 0),
              LLAMA_SHAPE.with(Biases.BY_KEYS),
              List.of()),
          qwen2("mimo", "MiMoForCausalLM"),
          new Family(
              "mistral",
              "MistralForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 8, 14336, 32000, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS)),
          new Family(
              "mixtral",
              "MixtralForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 8, 14336, 32000, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(
                  Mixture.of(Mixture.Keys.MIXTRAL, new Experts(8, 2, 0, 0, 0)), false, false, 0)),
          new Family(
              "phi3",
              "Phi3ForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 3072, 32, 0, 8192, 32064, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS)),
          qwen2("qwen2", "Qwen2ForCausalLM"),
          new Family(
              "qwen3",
              "Qwen3ForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 32, 22016, 151936, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(Mixture.NONE, false, true, 128)),
          new Family(
              "qwen3_moe",
              "Qwen3MoeForCausalLM",
              Naming.LLAMA,
              new Sizes(24, 2048, 32, 4, 6144, 151936, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(
                  Mixture.of(Mixture.Keys.QWEN, new Experts(128, 8, 768, 0, 0)), false, true, 0)),
          starcoder2());

  private Families() {}

  private static Family deepseek(
      String modelType, String architecture, Sizes sizes, Mixture.Keys keys, Experts experts) {
    boolean latent = !modelType.equals("deepseek");
    return new Family(
        modelType,
        architecture,
        Naming.LLAMA,
        sizes,
        LLAMA_SHAPE,
        List.of(NO_ATTENTION_BIAS),
        new Parts(Mixture.of(keys, experts), latent, false, 0));
  }

  /** The same graph under two names; mimo adds what {@link GraphKeys} refuses. */
  private static Family qwen2(String modelType, String architecture) {
    return new Family(
        modelType,
        architecture,
        Naming.LLAMA,
        new Sizes(32, 4096, 32, 32, 22016, 151936, 0),
        LLAMA_SHAPE.with(Biases.QKV),
        List.of(
            new Demand(
                "attention_bias",
                "true",
                "queries, keys and values without biases, which no " + modelType + " has")));
  }

  private static Family cohere() {
    return new Family(
        "cohere",
        "CohereForCausalLM",
        Naming.LLAMA,
        new Sizes(40, 8192, 64, 0, 22528, 256000, 0),
        new Shape("palm", "layernorm", "swiglu", "silu", Biases.NONE, true, true),
        List.of(NO_ATTENTION_BIAS));
  }

  private static Family starcoder2() {
    return new Family(
        "starcoder2",
        "Starcoder2ForCausalLM",
        Naming.LLAMA,
        new Sizes(30, 3072, 24, 2, 12288, 49152, 0),
        GPT2_SHAPE.with("gelu_pytorch_tanh"),
        List.of(
            new Demand("use_bias", "true", "norms with biases beside projections without"),
            new Demand("norm_type", "layer_norm", "another norm"),
            new Demand("mlp_type", "default", "another feed-forward network")));
  }
}
