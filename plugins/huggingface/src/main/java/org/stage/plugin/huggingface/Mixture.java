package org.stage.plugin.huggingface;

import java.util.List;
import java.util.Optional;
import org.stage.api.keys.WorkloadKeys;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;

/** Experts in a configuration: which keys say what, and what holds where they do not. */
record Mixture(Keys keys, Optional<Experts> defaults) {
  private static final int COUNT = 1 << 16;
  private static final int SHARED = 1 << 10;
  private static final int WIDTH = 1 << 22;
  private static final int LAYERS = 10_000;
  private static final String ANY = "num_local_experts";
  private static final String PER_TOKEN = "num_experts_per_tok";
  private static final String NEEDS = " needs what is not available in this version: ";

  /** A family without experts. */
  static final Mixture NONE = new Mixture(Keys.NONE, Optional.empty());

  /** How a family writes its experts. */
  enum Keys {
    /** It has none. */
    NONE(""),
    /** Every layer has experts of the feed-forward width. */
    MIXTRAL("num_local_experts"),
    /** The first layers are dense; there may be experts that every token meets. */
    DEEPSEEK("n_routed_experts"),
    /** As DeepSeek's, with a bias that balances the choice unless {@code topk_method} says no. */
    DEEPSEEK_V3("n_routed_experts"),
    /** Layers that are dense are listed. */
    QWEN("num_experts");

    private final String count;

    Keys(String count) {
      this.count = count;
    }
  }

  /**
   * Defaults of the numbers of experts.
   *
   * @param count 0: none
   * @param perToken 0: none, it must be said
   */
  record Experts(int count, int perToken, int ffn, int shared, int denseLayers) {}

  static Mixture of(Keys keys, Experts defaults) {
    return new Mixture(keys, Optional.of(defaults));
  }

  /**
   * The keys of the experts of {@code config}, whose layers have feed-forward networks of width
   * {@code ffn}; none if it has no experts.
   */
  WorkloadKeys read(Config config, ConfigKeys reader, int layers, int ffn) throws ConfigException {
    if (defaults.isEmpty()) {
      return WorkloadKeys.NONE;
    }
    Experts usual = defaults.get();
    // The library has come to write one name for all families.
    boolean renamed = config.mentions(ANY) && !config.mentions(keys.count);
    String key = renamed ? ANY : keys.count;
    boolean none = config.mentions(key) ? config.isOff(key) : usual.count() == 0;
    if (none) {
      return WorkloadKeys.NONE;
    }
    int count = reader.size(key, COUNT, usual.count());
    int perToken =
        usual.perToken() == 0
            ? config.whole(PER_TOKEN, COUNT)
            : reader.size(PER_TOKEN, COUNT, usual.perToken());
    if (perToken > count) {
      throw new ConfigException(
          PER_TOKEN,
          perToken + " are more than the " + count + " experts of " + key,
          "Largest possible: " + count + ".");
    }
    int dense = dense(config, reader, usual);
    if (dense >= layers) {
      return WorkloadKeys.NONE;
    }
    WorkloadKeys experts =
        WorkloadKeys.NONE
            .with("model.experts", count)
            .with("model.experts_per_token", perToken)
            .with("model.expert_ffn", width(reader, usual, ffn))
            .with("model.shared_experts", shared(reader, usual))
            .with("model.dense_layers", dense);
    boolean choiceBias =
        keys == Keys.DEEPSEEK_V3 && reader.word("topk_method", "noaux_tc").equals("noaux_tc");
    return choiceBias ? experts.with("model.choice_bias", true) : experts;
  }

  private int width(ConfigKeys reader, Experts usual, int ffn) throws ConfigException {
    return keys == Keys.MIXTRAL ? ffn : reader.size("moe_intermediate_size", WIDTH, usual.ffn());
  }

  private int shared(ConfigKeys reader, Experts usual) throws ConfigException {
    return isDeepSeek() ? reader.count("n_shared_experts", SHARED, usual.shared()) : 0;
  }

  private boolean isDeepSeek() {
    return keys == Keys.DEEPSEEK || keys == Keys.DEEPSEEK_V3;
  }

  private int dense(Config config, ConfigKeys reader, Experts usual) throws ConfigException {
    if (isDeepSeek()) {
      every(config, "moe_layer_freq");
      return reader.count("first_k_dense_replace", LAYERS, usual.denseLayers());
    }
    if (keys != Keys.QWEN) {
      return 0;
    }
    every(config, "decoder_sparse_step");
    List<Integer> listed = config.numbers("mlp_only_layers").stream().sorted().toList();
    for (int i = 0; i < listed.size(); i++) {
      if (listed.get(i) != i) {
        throw new ConfigException(
            "mlp_only_layers",
            "a list" + NEEDS + "dense layers behind layers with experts",
            "Available: layers from 0 on.");
      }
    }
    return listed.size();
  }

  /** Layers with experts stand side by side. */
  private static void every(Config config, String key) throws ConfigException {
    if (config.has(key) && config.whole(key, LAYERS) != 1) {
      throw new ConfigException(
          key,
          config.shown(key) + NEEDS + "dense layers between layers with experts",
          "Available: 1.");
    }
  }
}
