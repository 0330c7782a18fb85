package org.stage.plugin.huggingface;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;

/** The keys of a model in a workload file, from a configuration of a known family. */
final class ConfigKeys {
  private static final int WIDENING = 4;

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
    int layers = size("layers");
    int hidden = size("hidden");
    int heads = size("heads");
    int kvHeads = kvHeads(heads);
    boolean bias = bias();
    WorkloadKeys attention = attention(hidden, heads, kvHeads);
    int ffn = ffn(hidden);
    int vocab = size("vocab");
    int positions = family.reads("positions") ? size("positions") : 0;
    boolean tied = flag("tied");
    WorkloadKeys experts = new Mixture(config, family, this).read(layers, ffn);
    return WorkloadKeys.NONE
        .with("model.name", name)
        .and(always("family"))
        .with("model.layers", layers)
        .with("model.hidden", hidden)
        .with("model.heads", heads)
        .with("model.kv_heads", kvHeads)
        .with("model.ffn", ffn)
        .with("model.vocab", vocab)
        .with("model.positions", positions)
        .and(always("norm"))
        .and(always("activation"))
        .with("model.bias", bias)
        .with("model.tied", tied)
        .and(always("parallel_block"))
        .and(attention)
        .and(always("qkv_bias"))
        .and(always("qk_norm"))
        .and(experts);
  }

  /** What holds of all models of the family, if anything does. */
  private WorkloadKeys always(String key) {
    return family
        .always(key)
        .map(value -> WorkloadKeys.NONE.with("model." + key, value))
        .orElse(WorkloadKeys.NONE);
  }

  /** What of attention does not follow from the other keys. */
  private WorkloadKeys attention(int hidden, int heads, int kvHeads) throws ConfigException {
    if (family.reads("kv_latent")) {
      return latent(heads, kvHeads);
    }
    int headDim = headDim(hidden, heads);
    return headDim * (long) heads == hidden
        ? WorkloadKeys.NONE
        : WorkloadKeys.NONE.with("model.head_dim", headDim);
  }

  private WorkloadKeys latent(int heads, int kvHeads) throws ConfigException {
    if (kvHeads != heads) {
      throw new ConfigException(
          key("kv_heads"),
          kvHeads + " are not the " + heads + " heads that latent attention makes",
          "Write " + heads + ".");
    }
    return WorkloadKeys.NONE
        .with("model.q_latent", count("q_latent"))
        .with("model.kv_latent", size("kv_latent"))
        .with("model.plain_dim", size("plain_dim"))
        .with("model.rotary_dim", size("rotary_dim"))
        .with("model.value_dim", size("value_dim"));
  }

  /** What the file did not say, as {@code key value}, in the order in which it was needed. */
  List<String> defaults() {
    return List.copyOf(defaults);
  }

  private String key(String value) {
    return family.key(value, config);
  }

  private void checkFunction() throws ConfigException {
    String key = key("function");
    String function = word(key, family.usualWord("function"));
    if (!family.functions().contains(function)) {
      throw new ConfigException(
          key,
          Config.quoted(function)
              + " needs what is not available in this version: "
              + family.otherFunction(),
          "Available for "
              + family.modelType()
              + ": "
              + String.join(", ", family.functions())
              + ".");
    }
  }

  /** The text of {@code key}, or what holds where it is not written. */
  String word(String key, String fallback) throws ConfigException {
    if (config.mentions(key)) {
      return config.word(key);
    }
    defaults.add(key + " " + fallback);
    return fallback;
  }

  /** A size that may also be missing on purpose: {@code null} or 0. */
  int count(String value) throws ConfigException {
    String key = key(value);
    return config.mentions(key) && config.isOff(key) ? 0 : size(value);
  }

  /** A size. */
  int size(String value) throws ConfigException {
    String key = key(value);
    if (config.mentions(key)) {
      return config.whole(key, family.most(value));
    }
    defaults.add(key + " " + family.usual(value));
    return family.usual(value);
  }

  /** A size that may be {@code null} for what follows from the others. */
  private int derived(String value, int derived) throws ConfigException {
    String key = key(value);
    if (config.has(key)) {
      return config.whole(key, family.most(value));
    }
    int usual = family.usual(value);
    int size = usual == 0 || config.mentions(key) ? derived : usual;
    if (!config.mentions(key)) {
      defaults.add(key + " " + size);
    }
    return size;
  }

  private boolean flag(String value) throws ConfigException {
    String key = key(value);
    if (config.mentions(key)) {
      return config.flag(key);
    }
    defaults.add(key + " " + family.usualFlag(value));
    return family.usualFlag(value);
  }

  private int kvHeads(int heads) throws ConfigException {
    if (family.reads("one_kv_head")) {
      return flag("one_kv_head") ? 1 : heads;
    }
    if (!family.reads("kv_heads")) {
      return heads;
    }
    int kvHeads = derived("kv_heads", heads);
    if (heads % kvHeads != 0) {
      throw new ConfigException(
          key("kv_heads"),
          kvHeads + " does not divide " + key("heads") + " " + heads,
          "Write a divisor of " + heads + ".");
    }
    return kvHeads;
  }

  private int headDim(int hidden, int heads) throws ConfigException {
    boolean read = family.reads("head_dim");
    boolean given =
        read
            && (config.has(key("head_dim"))
                || (family.usual("head_dim") > 0 && !config.mentions(key("head_dim"))));
    if (!given && hidden % heads != 0) {
      throw new ConfigException(
          key("heads"),
          heads + " does not divide " + key("hidden") + " " + hidden,
          read
              ? "Write a divisor, or the width of a head as " + key("head_dim") + "."
              : "Write a divisor.");
    }
    return read ? derived("head_dim", Math.max(1, hidden / heads)) : hidden / heads;
  }

  private int ffn(int hidden) throws ConfigException {
    return family.usual("ffn") == 0 ? derived("ffn", WIDENING * hidden) : size("ffn");
  }

  /** Whether all projections have biases; where keys say it, both of them must. */
  private boolean bias() throws ConfigException {
    if (!family.reads("attention_bias")) {
      return family.always("bias").filter(new Flag(true)::equals).isPresent();
    }
    boolean attention = flag("attention_bias");
    boolean mlp = flag("mlp_bias");
    String attentionKey = key("attention_bias");
    String mlpKey = key("mlp_bias");
    if (attention != mlp) {
      throw new ConfigException(
          attention ? attentionKey : mlpKey,
          "true needs what is not available in this version: biases on the projections of "
              + (attention ? "attention" : "the feed-forward network")
              + " alone",
          "Available: both of " + attentionKey + " and " + mlpKey + ", or none.");
    }
    return attention;
  }
}
