package org.stage.numeric;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.module.Modules;

/** The library's modules in sizes at which a test can compute them. */
final class Tiny {
  static final String LLAMA = "rms_norm swiglu rotary sequential_block";
  static final String QWEN_3 = LLAMA + " qk_norm";
  static final String DEEPSEEK =
      "rms_norm swiglu rotary sequential_block latent_attention latent_queries";
  static final String DEEPSEEK_LITE =
      "rms_norm swiglu rotary sequential_block latent_attention plain_queries";
  static final String GPT =
      "layer_norm_with_bias norm_bias bias qkv_bias gelu learned_positions sequential_block"
          + " dropout dropout_of_scores";
  static final String PALM = "rms_norm swiglu rotary parallel_block";
  static final String QWEN = "layer_norm qkv_bias gelu rotary sequential_block";
  static final List<String> MODULES = List.of("embedding", "decoder_layer", "head");

  private Tiny() {}

  static Module module(String name, String features) {
    Set<String> set = new HashSet<>(Set.of(features.split(" ")));
    if (set.contains("flash_attention")) {
      set.remove("dropout_of_scores");
    }
    return Modules.of(name, set);
  }

  /** Sizes that 8-fold tensor and 2-fold data parallelism divide. */
  static Map<String, Long> sizes(int heads, int kvHeads, int seq) {
    Map<String, Long> sizes = new HashMap<>();
    sizes.put("batch", 2L);
    sizes.put("seq", (long) seq);
    sizes.put("embed", 6L);
    sizes.put("heads", (long) heads);
    sizes.put("kv_heads", (long) kvHeads);
    sizes.put("head_dim", 2L);
    sizes.put("q_latent", 5L);
    sizes.put("kv_latent", 3L);
    sizes.put("plain_dim", 3L);
    sizes.put("rotary_dim", 2L);
    sizes.put("value_dim", 4L);
    sizes.put("mlp", 8L);
    sizes.put("experts", 4L);
    sizes.put("expert_mlp", 8L);
    sizes.put("shared_mlp", 8L);
    sizes.put("expert_rows", 4L * 2 * seq);
    sizes.put("held_rows", 4L * 2 * seq);
    sizes.put("vocab", 16L);
    sizes.put("positions", 8L);
    return sizes;
  }
}
