package org.stage.plugin.huggingface;

import java.util.List;
import org.stage.plugin.huggingface.Family.Demand;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;

/**
 * Keys that change the graph, whatever the family. A file that is derived from a family may have
 * them, and to ignore one would be to build another model silently.
 */
final class GraphKeys {
  private static final String NEEDS = " needs what is not available in this version: ";

  private static final String EXPERTS = "experts (MoE) in this family";
  private static final String LATENT = "latent attention (MLA) in this family";
  private static final String PREDICTION = "layers for multi-token prediction";

  private static final List<Switch> SWITCHES =
      List.of(
          on(EXPERTS, "num_experts", "num_local_experts", "n_routed_experts"),
          on(EXPERTS, "moe_intermediate_size", "num_experts_per_tok"),
          on("experts under other keys", "moe_num_experts"),
          on(LATENT, "kv_lora_rank", "q_lora_rank"),
          on("norms on queries and keys", "qk_norm", "use_qk_norm", "qk_layernorm"),
          on(PREDICTION, "num_nextn_predict_layers"),
          on("an encoder or cross-attention", "is_encoder_decoder", "add_cross_attention"),
          on("parts for pictures or sound", "vision_config", "audio_config", "text_config"),
          on("state-space layers (Mamba)", "mamba_d_state", "ssm_state_size", "state_size"),
          on("layers that differ from one another", "hybrid_override_pattern", "block_configs"),
          on("layers without rotary positions", "no_rope_layers", "no_rope_layer_interval"),
          on("ALiBi positions", "alibi", "use_alibi"),
          on("capped logits", "attn_logit_softcapping", "final_logit_softcapping"),
          on("heads that were pruned", "pruned_heads"));

  private static final List<String> LAYER_TYPES = List.of("full_attention", "sliding_attention");

  private GraphKeys() {}

  private record Switch(String lack, List<String> keys) {}

  private static Switch on(String lack, String... keys) {
    return new Switch(lack, List.of(keys));
  }

  /** Refuses {@code config} if it is another graph than {@code family}. */
  static void check(Config config, Family family) throws ConfigException {
    for (Switch each : SWITCHES) {
      for (String key : each.keys) {
        if (!config.isOff(key) && !reads(family, each.lack)) {
          String remedy =
              key.equals("num_nextn_predict_layers")
                  ? "Set it to 0 to have the model without them."
                  : Family.available();
          throw new ConfigException(key, config.shown(key) + NEEDS + each.lack, remedy);
        }
      }
    }
    for (String type : config.words("layer_types")) {
      if (!LAYER_TYPES.contains(type)) {
        throw new ConfigException(
            "layer_types",
            Config.quoted(type) + NEEDS + "layers of that type",
            "Available: " + String.join(", ", LAYER_TYPES) + ".");
      }
    }
    for (Demand demand : family.demands()) {
      check(config, demand);
    }
  }

  /** Whether {@code family} reads what others would lack. */
  private static boolean reads(Family family, String lack) {
    return switch (lack) {
      case EXPERTS -> family.reads("experts");
      case LATENT -> family.reads("kv_latent");
      // The library's model of the family leaves them out of the published weights.
      case PREDICTION -> family.leavesOutPrediction();
      default -> false;
    };
  }

  private static void check(Config config, Demand demand) throws ConfigException {
    String key = demand.key();
    if (!config.has(key)) {
      return;
    }
    boolean flag = demand.value().equals("true") || demand.value().equals("false");
    String value = flag ? String.valueOf(config.flag(key)) : config.word(key);
    if (!value.equals(demand.value())) {
      throw new ConfigException(
          key,
          config.shown(key) + NEEDS + demand.otherwise(),
          "Available: " + demand.value() + ".");
    }
  }
}
