package org.stage.workloadfile;

import java.util.List;
import org.stage.job.Nearest;

/** Checks the numbers of a model against one another. */
final class ModelCheck {
  private static final List<String> LATENT =
      List.of("q_latent", "plain_dim", "rotary_dim", "value_dim");

  private static final List<String> EXPERTS =
      List.of("experts_per_token", "expert_ffn", "shared_experts", "dense_layers", "choice_bias");

  private final Values values;
  private final ModelFacts facts;

  ModelCheck(Values values, ModelFacts facts) {
    this.values = values;
    this.facts = facts;
  }

  /** Notes what does not go together. */
  void run() {
    checkHeads(facts.whole("hidden"), facts.whole("heads"), facts.whole("kv_heads"));
    if (values.has("model.kv_latent")) {
      checkLatent(facts.whole("heads"), facts.whole("kv_heads"));
    } else {
      for (String name : LATENT) {
        if (values.has("model." + name)) {
          values.fault("model." + name, "needs model.kv_latent", "Add it, or remove this.");
        }
      }
    }
    checkRotation();
    if (facts.flag("bias") && !facts.flag("qkv_bias")) {
      values.fault("model.qkv_bias", "false contradicts model.bias: true", "Remove one of them.");
    }
    if (facts.word("norm").equals("rmsnorm") && values.flag("model.norm_bias", false)) {
      values.fault(
          "model.norm_bias", "does not apply to model.norm: rmsnorm, which has none", "Remove it.");
    }
    checkReplicas();
    if (values.has("model.experts")) {
      checkExperts();
    } else {
      refuseWithoutExperts();
    }
  }

  private void checkHeads(int hidden, int heads, int kvHeads) {
    boolean derived = !values.has("model.head_dim") && !values.has("model.kv_latent");
    if (derived && hidden % heads != 0) {
      List<Long> nearest = Nearest.fitting(heads, hidden, n -> hidden % n == 0);
      values.fault(
          "model.heads",
          heads + " does not divide model.hidden " + hidden + ", and model.head_dim is not given",
          Nearest.remedy("Nearest that do", nearest));
    } else if (heads % kvHeads != 0) {
      List<Long> nearest = Nearest.fitting(kvHeads, heads, n -> heads % n == 0);
      values.fault(
          "model.kv_heads",
          kvHeads + " does not divide model.heads " + heads,
          Nearest.remedy("Nearest that do", nearest));
    }
  }

  /** Rotary positions turn pairs of a head's dimensions (Su et al., arXiv 2104.09864). */
  private void checkRotation() {
    boolean latent = values.has("model.kv_latent");
    String width = latent ? "rotary_dim" : "head_dim";
    boolean rotates = latent || facts.whole("positions") == 0;
    if (rotates && facts.whole(width) % 2 != 0) {
      boolean derived = !values.has("model." + width);
      values.fault(
          derived ? "model.heads" : "model." + width,
          (derived ? "makes heads of width " + facts.whole(width) : facts.whole(width))
              + ", which rotary positions cannot turn in pairs",
          derived
              ? "Change model.hidden or model.heads, or give an even model.head_dim."
              : "Nearest that can be: "
                  + (facts.whole(width) - 1)
                  + ", "
                  + (facts.whole(width) + 1)
                  + ".");
    }
  }

  private void checkLatent(int heads, int kvHeads) {
    if (heads != kvHeads) {
      values.fault(
          "model.kv_heads",
          kvHeads + " are not the " + heads + " heads that latent attention makes",
          "Remove it.");
    }
    refuse(
        "model.head_dim",
        values.has("model.head_dim"),
        "is plain_dim + rotary_dim with latent attention");
    refuse(
        "model.qk_norm",
        facts.flag("qk_norm"),
        "does not apply to latent attention, which has norms of its own");
    refuse(
        "model.bias", facts.flag("bias"), "is not available with latent attention in this version");
    refuse(
        "model.qkv_bias",
        values.flag("model.qkv_bias", false),
        "is not available with latent attention in this version");
    refuse(
        "model.positions",
        values.whole("model.positions", 0) > 0,
        "learned positions do not go with latent attention, which rotates");
  }

  private void refuse(String key, boolean given, String why) {
    if (given) {
      values.fault(key, why, "Remove it.");
    }
  }

  /**
   * Deployments replicate the experts that are asked most (DeepSeek-V3 report, arXiv 2412.19437,
   * section 3.4); training has no such copies.
   */
  private void checkReplicas() {
    int replicas = values.whole("model.redundant_experts");
    if (replicas > 0) {
      values.fault(
          "model.redundant_experts",
          replicas
              + " replicas serve inference, which is not available in this version; in training an"
              + " expert has one copy on each of its data-parallel ranks",
          "Remove it.");
    }
  }

  /** A dense model would come out where one of experts was meant. */
  private void refuseWithoutExperts() {
    for (String name : EXPERTS) {
      String usual = Keys.at("model." + name).fallback();
      boolean said = values.has("model." + name);
      if (said && !values.word("model." + name).equalsIgnoreCase(usual)) {
        values.fault("model." + name, "needs model.experts", "Add it, or remove this.");
      }
    }
  }

  private void checkExperts() {
    int count = values.whole("model.experts");
    int perToken = values.whole("model.experts_per_token");
    int dense = values.whole("model.dense_layers");
    int layers = values.whole("model.layers");
    if (perToken > count) {
      values.fault(
          "model.experts_per_token",
          perToken + " are more than model.experts " + count,
          "Largest possible: " + count + ".");
    }
    if (dense >= layers) {
      values.fault(
          "model.dense_layers",
          dense + " leaves no layer of " + layers + " for experts",
          "Lower it, or remove model.experts.");
    }
  }
}
