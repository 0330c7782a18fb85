package org.stage.plugin.huggingface;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.keys.WorkloadKeys;
import org.stage.plugin.huggingface.Family.Biases;
import org.stage.plugin.huggingface.Naming.Field;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;

/** The keys of a model in a workload file, from a configuration of a known family. */
final class ConfigKeys {
  private static final int LAYERS = 10_000;
  private static final int WIDTH = 1 << 20;
  private static final int HEADS = 1 << 14;
  private static final int HEAD_DIM = 1 << 16;
  private static final int FFN = 1 << 22;
  private static final int ROWS = 1 << 24;
  private static final int WIDENING = 4;

  private static final String KV_HEADS = "num_key_value_heads";
  private static final String ATTENTION_BIAS = "attention_bias";
  private static final String MLP_BIAS = "mlp_bias";

  private final Config config;
  private final Family family;
  private final List<String> defaults = new ArrayList<>();

  ConfigKeys(Config config, Family family) {
    this.config = config;
    this.family = family;
  }

  /** The keys of the model, called {@code name}. */
  WorkloadKeys model(String name) throws ConfigException {
    checkFunction();
    // Read in this order, which is that of the notes on defaults.
    Family.Sizes sizes = family.sizes();
    int layers = size(key(Field.LAYERS), LAYERS, sizes.layers());
    int hidden = size(key(Field.HIDDEN), WIDTH, sizes.hidden());
    int heads = size(key(Field.HEADS), HEADS, sizes.heads());
    int kvHeads = kvHeads(heads);
    boolean bias = bias();
    WorkloadKeys attention = attention(hidden, heads, kvHeads);
    int ffn = ffn(hidden);
    int vocab = size("vocab_size", ROWS, sizes.vocab());
    int positions =
        sizes.positions() == 0 ? 0 : size(key(Field.POSITIONS), ROWS, sizes.positions());
    Family.Shape shape = family.shape();
    boolean tied = flag("tie_word_embeddings", shape.tied());
    WorkloadKeys experts = family.parts().experts().read(config, this, layers, ffn);
    return WorkloadKeys.NONE
        .with("model.name", name)
        .with("model.family", shape.family())
        .with("model.layers", layers)
        .with("model.hidden", hidden)
        .with("model.heads", heads)
        .with("model.kv_heads", kvHeads)
        .with("model.ffn", ffn)
        .with("model.vocab", vocab)
        .with("model.positions", positions)
        .with("model.norm", shape.norm())
        .with("model.activation", shape.activation())
        .with("model.bias", bias)
        .with("model.tied", tied)
        .with("model.parallel_block", shape.parallelBlock())
        .and(attention)
        .and(experts);
  }

  /** What of attention does not follow from the other keys. */
  private WorkloadKeys attention(int hidden, int heads, int kvHeads) throws ConfigException {
    if (family.parts().latent()) {
      return latent(heads, kvHeads);
    }
    WorkloadKeys keys = WorkloadKeys.NONE;
    int headDim = headDim(hidden, heads);
    if (headDim * (long) heads != hidden) {
      keys = keys.with("model.head_dim", headDim);
    }
    if (family.shape().biases() == Biases.QKV) {
      keys = keys.with("model.qkv_bias", true);
    }
    return family.parts().qkNorm() ? keys.with("model.qk_norm", true) : keys;
  }

  private WorkloadKeys latent(int heads, int kvHeads) throws ConfigException {
    if (kvHeads != heads) {
      throw new ConfigException(
          KV_HEADS,
          kvHeads + " are not the " + heads + " heads that latent attention makes",
          "Write " + heads + ".");
    }
    boolean plain = config.mentions("q_lora_rank") && config.isOff("q_lora_rank");
    return WorkloadKeys.NONE
        .with("model.q_latent", plain ? 0 : size("q_lora_rank", WIDTH, 1536))
        .with("model.kv_latent", size("kv_lora_rank", WIDTH, 512))
        .with("model.plain_dim", size("qk_nope_head_dim", HEAD_DIM, 128))
        .with("model.rotary_dim", size("qk_rope_head_dim", HEAD_DIM, 64))
        .with("model.value_dim", size("v_head_dim", HEAD_DIM, 128));
  }

  /** What the file did not say, as {@code key value}, in the order in which it was needed. */
  List<String> defaults() {
    return List.copyOf(defaults);
  }

  private String key(Field field) {
    return family.naming().key(field, config);
  }

  private void checkFunction() throws ConfigException {
    String key = key(Field.ACTIVATION);
    String function = family.shape().function();
    if (config.mentions(key)) {
      function = config.word(key);
    } else {
      defaults.add(key + " " + function);
    }
    if (!family.functions().contains(function)) {
      String kind =
          family.isUngated()
              ? "a feed-forward network with another function than GELU"
              : "a feed-forward network gated by another function than SiLU";
      throw new ConfigException(
          key,
          Config.quoted(function) + " needs what is not available in this version: " + kind,
          "Available for "
              + family.modelType()
              + ": "
              + String.join(", ", family.functions())
              + ".");
    }
  }

  /** A size that may also be missing on purpose: {@code null} or 0. */
  int count(String key, int max, int fallback) throws ConfigException {
    return config.mentions(key) && config.isOff(key) ? 0 : size(key, max, fallback);
  }

  String word(String key, String fallback) throws ConfigException {
    if (config.mentions(key)) {
      return config.has(key) ? config.word(key) : "";
    }
    defaults.add(key + " " + fallback);
    return fallback;
  }

  int size(String key, int max, int fallback) throws ConfigException {
    if (config.mentions(key)) {
      return config.whole(key, max);
    }
    defaults.add(key + " " + fallback);
    return fallback;
  }

  /** A size that may be {@code null} for what follows from the others. */
  private int derived(String key, int max, int fallback, int derived) throws ConfigException {
    if (config.has(key)) {
      return config.whole(key, max);
    }
    int value = fallback == 0 || config.mentions(key) ? derived : fallback;
    if (!config.mentions(key)) {
      defaults.add(key + " " + value);
    }
    return value;
  }

  private boolean flag(String key, boolean fallback) throws ConfigException {
    if (config.mentions(key)) {
      return config.flag(key);
    }
    defaults.add(key + " " + fallback);
    return fallback;
  }

  private int kvHeads(int heads) throws ConfigException {
    if (family.naming() == Naming.GPT2) {
      boolean multiQuery = family.sizes().kvHeads() == 1 && flag("multi_query", true);
      return multiQuery ? 1 : heads;
    }
    int kvHeads = derived(KV_HEADS, HEADS, family.sizes().kvHeads(), heads);
    if (heads % kvHeads != 0) {
      throw new ConfigException(
          KV_HEADS,
          kvHeads + " does not divide " + key(Field.HEADS) + " " + heads,
          "Write a divisor of " + heads + ".");
    }
    return kvHeads;
  }

  private int headDim(int hidden, int heads) throws ConfigException {
    boolean given =
        family.naming() == Naming.LLAMA
            && (config.has("head_dim")
                || (family.parts().headDim() > 0 && !config.mentions("head_dim")));
    if (!given && hidden % heads != 0) {
      throw new ConfigException(
          key(Field.HEADS),
          heads + " does not divide " + key(Field.HIDDEN) + " " + hidden,
          family.naming() == Naming.LLAMA
              ? "Write a divisor, or the width of a head as head_dim."
              : "Write a divisor.");
    }
    return family.naming() == Naming.LLAMA
        ? derived("head_dim", HEAD_DIM, family.parts().headDim(), Math.max(1, hidden / heads))
        : hidden / heads;
  }

  private int ffn(int hidden) throws ConfigException {
    String key = key(Field.FFN);
    return family.sizes().ffn() == 0
        ? derived(key, FFN, 0, WIDENING * hidden)
        : size(key, FFN, family.sizes().ffn());
  }

  private boolean bias() throws ConfigException {
    if (family.shape().biases() != Biases.BY_KEYS) {
      return family.shape().biases() == Biases.ALL;
    }
    boolean attention = flag(ATTENTION_BIAS, false);
    boolean mlp = flag(MLP_BIAS, false);
    if (attention != mlp) {
      throw new ConfigException(
          attention ? ATTENTION_BIAS : MLP_BIAS,
          "true needs what is not available in this version: biases on the projections of "
              + (attention ? "attention" : "the feed-forward network")
              + " alone",
          "Available: both of " + ATTENTION_BIAS + " and " + MLP_BIAS + ", or none.");
    }
    return attention;
  }
}
