package org.stage.plugin.huggingface;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Configurations written for the tests: a whole small one, and edits of it. */
final class Configs {
  /** Says everything, so that no note is due. Values are JSON. */
  private static final Map<String, String> LLAMA = new LinkedHashMap<>();

  static {
    LLAMA.put("model_type", "\"llama\"");
    LLAMA.put("architectures", "[\"LlamaForCausalLM\"]");
    LLAMA.put("num_hidden_layers", "4");
    LLAMA.put("hidden_size", "512");
    LLAMA.put("num_attention_heads", "8");
    LLAMA.put("num_key_value_heads", "2");
    LLAMA.put("head_dim", "64");
    LLAMA.put("intermediate_size", "1536");
    LLAMA.put("vocab_size", "32000");
    LLAMA.put("hidden_act", "\"silu\"");
    LLAMA.put("attention_bias", "false");
    LLAMA.put("mlp_bias", "false");
    LLAMA.put("tie_word_embeddings", "false");
    LLAMA.put("rope_theta", "500000.0");
    LLAMA.put("torch_dtype", "\"bfloat16\"");
    LLAMA.put("eos_token_id", "[1, 2]");
  }

  private Configs() {}

  /**
   * The small Llama with edits: {@code key=JSON}, or {@code -key} to leave a key out.
   *
   * @param edits separated by semicolons
   */
  static String llama(String edits) {
    Map<String, String> values = new LinkedHashMap<>(LLAMA);
    for (String edit : edits.split(";")) {
      String trimmed = edit.trim();
      if (trimmed.startsWith("-")) {
        values.remove(trimmed.substring(1));
      } else if (!trimmed.isEmpty()) {
        int equals = trimmed.indexOf('=');
        values.put(trimmed.substring(0, equals), trimmed.substring(equals + 1));
      }
    }
    return json(values);
  }

  /** Configurations of several kinds, to be damaged. */
  static List<String> various() {
    List<String> various = new ArrayList<>();
    various.add(llama(""));
    various.add(llama("model_type=\"qwen2\"; -architectures; attention_bias=true; -head_dim"));
    various.add(llama("-model_type; layer_types=[\"full_attention\"]; sliding_window=4096"));
    various.add("{\"model_type\": \"gpt2\", \"n_embd\": 64, \"n_head\": 4, \"n_inner\": null}");
    various.add("{\"model_type\": \"starcoder2\", \"use_bias\": true, \"hidden_act\": \"gelu\"}");
    various.add("{\"model_type\": \"mixtral\", \"num_local_experts\": 8}");
    various.add(llama("model_type=\"deepseek_v3\"; -architectures; num_key_value_heads=8"));
    various.add(llama("model_type=\"qwen3_moe\"; -architectures; mlp_only_layers=[0]"));
    return various;
  }

  private static String json(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each -> "  \"" + each.getKey() + "\": " + each.getValue())
        .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }
}
