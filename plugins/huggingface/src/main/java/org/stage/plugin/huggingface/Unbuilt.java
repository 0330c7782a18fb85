package org.stage.plugin.huggingface;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Families that are known but are another graph, with what each would need. */
final class Unbuilt {
  private static final String EXPERTS = "experts (MoE) in this family";
  private static final String QK_NORM = "norms on queries and keys as this family has them";
  private static final String MAMBA = "state-space layers (Mamba)";
  private static final String POST_NORM = "norms behind attention and feed-forward";
  private static final String GATED_GELU = "a feed-forward network gated by GELU";
  private static final String LINEAR = "linear attention";
  private static final String NO_ROTARY = "layers without rotary positions";
  private static final String HALF_BIASES = "norms with biases beside projections without";
  private static final String ALIBI = "ALiBi positions";

  private static final Map<String, String> LACKS = lacks();

  private Unbuilt() {}

  /** What {@code modelType} would need, if it is known. */
  static Optional<String> lack(String modelType) {
    return Optional.ofNullable(LACKS.get(modelType));
  }

  private static Map<String, String> lacks() {
    Map<String, String> lacks = new HashMap<>();
    add(lacks, EXPERTS, "qwen2_moe", "dbrx", "granitemoe", "phimoe");
    add(lacks, EXPERTS + ", " + QK_NORM, "olmoe", "glm4_moe");
    add(lacks, "sparse attention", "deepseek_v32");
    add(lacks, "parts for pictures", "deepseek_vl_v2");
    add(lacks, EXPERTS + ", attention sinks", "gpt_oss");
    add(lacks, EXPERTS + ", " + NO_ROTARY + ", chunked attention", "llama4", "llama4_text");
    add(lacks, EXPERTS + ", " + LINEAR, "qwen3_next", "minimax");
    add(lacks, QK_NORM, "chameleon");
    add(lacks, QK_NORM + ", " + POST_NORM, "olmo2", "olmo3");
    add(lacks, POST_NORM, "glm4");
    add(lacks, GATED_GELU, "gemma");
    add(lacks, POST_NORM + ", " + GATED_GELU, "gemma2");
    add(lacks, POST_NORM + ", " + QK_NORM + ", " + GATED_GELU, "gemma3", "gemma3_text");
    add(lacks, MAMBA, "mamba", "mamba2", "falcon_mamba", "zamba", "zamba2", "bamba", "falcon_h1");
    add(lacks, MAMBA + ", " + EXPERTS, "jamba", "granitemoehybrid");
    add(lacks, MAMBA + ", squared ReLU", "nemotron_h");
    add(lacks, "squared ReLU", "nemotron");
    add(lacks, "recurrent layers", "rwkv", "recurrent_gemma", "xlstm");
    add(lacks, NO_ROTARY, "smollm3", "cohere2");
    add(lacks, "attention and feed-forward side by side on two norms", "gpt_neox");
    add(lacks, "a bias on the head", "phi", "gptj", "codegen");
    add(lacks, HALF_BIASES, "falcon", "stablelm", "persimmon");
    add(lacks, ALIBI, "bloom", "mpt");
    add(lacks, "a ReLU feed-forward network and an offset of positions", "opt");
    add(lacks, "alternating local attention without scaling", "gpt_neo");
    add(lacks, "norms without weights", "olmo");
    add(lacks, "multipliers on embeddings, residuals and logits", "granite");
    add(lacks, "an encoder", "bert", "roberta", "xlm-roberta", "deberta-v2", "modernbert", "vit");
    add(lacks, "an encoder beside the decoder", "t5", "mt5", "bart", "mbart", "whisper", "pegasus");
    return Map.copyOf(lacks);
  }

  private static void add(Map<String, String> lacks, String lack, String... modelTypes) {
    List.of(modelTypes).forEach(modelType -> lacks.put(modelType, lack));
  }
}
