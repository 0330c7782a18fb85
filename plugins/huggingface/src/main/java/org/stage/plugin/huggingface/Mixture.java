package org.stage.plugin.huggingface;

import java.util.List;
import java.util.Optional;
import org.stage.api.keys.WorkloadKeys;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;

/**
 * Experts in a configuration.
 *
 * @param config the configuration
 * @param family which keys say what, and what holds where they do not
 * @param reader reads the numbers
 */
record Mixture(Config config, Family family, ConfigKeys reader) {
  private static final int LAYERS = 10_000;
  private static final String NEEDS = " needs what is not available in this version: ";

  /**
   * The keys of the experts of layers whose feed-forward networks have the width {@code ffn}; none
   * if there are no experts.
   */
  WorkloadKeys read(int layers, int ffn) throws ConfigException {
    if (!family.reads("experts") || isNone()) {
      return WorkloadKeys.NONE;
    }
    int count = reader.size("experts");
    int perToken = perToken();
    if (perToken > count) {
      throw new ConfigException(
          family.key("experts_per_token", config),
          perToken + " are more than the " + count + " experts of " + family.key("experts", config),
          "Largest possible: " + count + ".");
    }
    int dense = dense();
    if (dense >= layers) {
      return WorkloadKeys.NONE;
    }
    WorkloadKeys experts =
        WorkloadKeys.NONE
            .with("model.experts", count)
            .with("model.experts_per_token", perToken)
            .with("model.expert_ffn", family.reads("expert_ffn") ? reader.size("expert_ffn") : ffn)
            .with(
                "model.shared_experts",
                family.reads("shared_experts") ? reader.count("shared_experts") : 0)
            .with("model.dense_layers", dense);
    return hasChoiceBias() ? experts.with("model.choice_bias", true) : experts;
  }

  private boolean isNone() {
    String key = family.key("experts", config);
    return config.mentions(key) ? config.isOff(key) : family.usual("experts") == 0;
  }

  /** A family without a default must say it. */
  private int perToken() throws ConfigException {
    return family.usual("experts_per_token") == 0
        ? config.whole(family.key("experts_per_token", config), family.most("experts_per_token"))
        : reader.size("experts_per_token");
  }

  private boolean hasChoiceBias() throws ConfigException {
    Optional<Family.Demand> key = family.choiceBias();
    if (key.isEmpty()) {
      return false;
    }
    String value = key.get().value();
    boolean off = config.mentions(key.get().key()) && !config.has(key.get().key());
    return !off && reader.word(key.get().key(), value).equals(value);
  }

  /** First layers that have no experts. */
  private int dense() throws ConfigException {
    checkEachLayer(family.word("each_layer"));
    if (family.reads("dense_layers")) {
      return reader.count("dense_layers");
    }
    return family.reads("dense_list") ? listed(family.key("dense_list", config)) : 0;
  }

  private int listed(String key) throws ConfigException {
    List<Integer> listed = config.numbers(key).stream().sorted().toList();
    for (int i = 0; i < listed.size(); i++) {
      if (listed.get(i) != i) {
        throw new ConfigException(
            key,
            "a list" + NEEDS + "dense layers behind layers with experts",
            "Available: layers from 0 on.");
      }
    }
    return listed.size();
  }

  /** Layers with experts stand side by side. */
  private void checkEachLayer(String key) throws ConfigException {
    if (config.has(key) && config.whole(key, LAYERS) != 1) {
      throw new ConfigException(
          key,
          config.shown(key) + NEEDS + "dense layers between layers with experts",
          "Available: 1.");
    }
  }
}
