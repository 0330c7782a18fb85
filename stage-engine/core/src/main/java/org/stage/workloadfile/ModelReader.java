package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.job.ModelDescription;
import org.stage.job.ModelDescription.Activation;
import org.stage.job.ModelDescription.Experts;
import org.stage.job.ModelDescription.Latent;
import org.stage.job.ModelDescription.Norm;
import org.stage.job.Nearest;
import org.stage.job.Problems;

/** Completes a model from its family's conventions. */
final class ModelReader {
  private static final int GPT_POSITIONS = 2048;
  private static final int WIDENING = 4;

  private static final List<String> LATENT =
      List.of("q_latent", "plain_dim", "rotary_dim", "value_dim");

  private final Values values;

  ModelReader(Values values) {
    this.values = values;
  }

  private enum Family {
    GPT,
    LLAMA,
    PALM
  }

  /**
   * The model at {@code model}, whose presets are resolved and whose values are checked one by one.
   */
  ModelDescription read() {
    refuseMissing();
    Family family = values.constant("model.family", Family.class);
    boolean gpt = family == Family.GPT;
    int hidden = values.whole("model.hidden");
    int heads = values.whole("model.heads");
    int kvHeads = values.whole("model.kv_heads", family == Family.PALM ? 1 : heads);
    boolean bias = values.flag("model.bias", gpt);
    checkHeads(hidden, heads, kvHeads);
    Optional<Latent> latent = latent(heads, kvHeads, bias);
    boolean qkvBias = values.flag("model.qkv_bias", bias);
    if (bias && !qkvBias) {
      values.fault("model.qkv_bias", "false contradicts model.bias: true", "Remove one of them.");
    }
    return new ModelDescription(
        values.has("model.name") ? values.word("model.name") : "custom",
        values.whole("model.layers"),
        hidden,
        heads,
        kvHeads,
        headDim(hidden, heads, latent),
        values.whole("model.ffn", WIDENING * hidden),
        values.whole("model.vocab"),
        values.whole("model.positions", gpt ? GPT_POSITIONS : 0),
        values.has("model.norm")
            ? values.constant("model.norm", Norm.class)
            : gpt ? Norm.LAYERNORM : Norm.RMSNORM,
        values.has("model.activation")
            ? values.constant("model.activation", Activation.class)
            : gpt ? Activation.GELU : Activation.SWIGLU,
        bias,
        qkvBias,
        values.flag("model.tied", family != Family.LLAMA),
        values.flag("model.parallel_block", family == Family.PALM),
        experts(),
        latent,
        values.flag("model.qk_norm", false));
  }

  private Optional<Latent> latent(int heads, int kvHeads, boolean bias) {
    if (!values.has("model.kv_latent")) {
      for (String name : LATENT) {
        if (values.has("model." + name)) {
          values.fault("model." + name, "needs model.kv_latent", "Add it, or remove this.");
        }
      }
      return Optional.empty();
    }
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
        values.flag("model.qk_norm", false),
        "does not apply to latent attention, which has norms of its own");
    refuse("model.bias", bias, "is not available with latent attention in this version");
    refuse(
        "model.qkv_bias",
        values.flag("model.qkv_bias", false),
        "is not available with latent attention in this version");
    refuse(
        "model.positions",
        values.whole("model.positions", 0) > 0,
        "learned positions do not go with latent attention, which rotates");
    return Optional.of(
        new Latent(
            values.whole("model.q_latent", 0),
            values.whole("model.kv_latent"),
            values.whole("model.plain_dim"),
            values.whole("model.rotary_dim"),
            values.whole("model.value_dim")));
  }

  private int headDim(int hidden, int heads, Optional<Latent> latent) {
    return latent
        .map(l -> l.plain() + l.rotary())
        .orElseGet(() -> values.whole("model.head_dim", Math.max(1, hidden / heads)));
  }

  private void refuse(String key, boolean given, String why) {
    if (given) {
      values.fault(key, why, "Remove it.");
    }
  }

  private Optional<Experts> experts() {
    int replicas = values.whole("model.redundant_experts");
    if (replicas > 0) {
      // Deployments replicate the experts that are asked most (DeepSeek-V3 report, arXiv
      // 2412.19437, section 3.4); training has no such copies.
      values.fault(
          "model.redundant_experts",
          replicas
              + " replicas serve inference, which is not available in this version; in training an"
              + " expert has one copy on each of its data-parallel ranks",
          "Remove it.");
    }
    if (!values.has("model.experts")) {
      return Optional.empty();
    }
    int count = values.whole("model.experts");
    int perToken = values.whole("model.experts_per_token");
    int dense = values.whole("model.dense_layers");
    if (perToken > count) {
      values.fault(
          "model.experts_per_token",
          perToken + " are more than model.experts " + count,
          "Largest possible: " + count + ".");
    }
    if (dense >= values.whole("model.layers")) {
      values.fault(
          "model.dense_layers",
          dense + " leaves no layer of " + values.whole("model.layers") + " for experts",
          "Lower it, or remove model.experts.");
    }
    return Optional.of(
        new Experts(
            count,
            perToken,
            values.whole("model.expert_ffn"),
            values.whole("model.shared_experts"),
            dense,
            values.flag("model.choice_bias", false)));
  }

  /** Without these nothing can be completed, so they are reported at once. */
  private void refuseMissing() {
    List<String> needed = new ArrayList<>(List.of("family", "layers", "hidden", "heads", "vocab"));
    if (values.word("model.family").equals("llama")) {
      needed.add("ffn");
    }
    if (values.has("model.experts")) {
      needed.addAll(List.of("experts_per_token", "expert_ffn"));
      if (values.whole("model.dense_layers") == 0) {
        needed.remove("ffn");
      }
    }
    if (values.has("model.kv_latent")) {
      needed.addAll(List.of("plain_dim", "rotary_dim", "value_dim"));
    }
    Problems missing = new Problems();
    for (String name : needed) {
      String path = "model." + name;
      if (!values.has(path)) {
        String remedy =
            "Add it: "
                + Keys.at(path).type().expected()
                + "; or name a preset and change it: {preset: NAME}.";
        missing.add(values.origin(path), "is missing", remedy);
      }
    }
    missing.report();
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
}
