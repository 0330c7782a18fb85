package org.stage.spec;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Experts;
import org.stage.api.model.ModelDescription.Latent;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.spec.KeyType.NameOrPath;

/** Puts, in place of the name or the path of a model, the keys of that model. */
final class ModelSource {
  private final Path workload;
  private final ModelResolver resolver;

  /**
   * A source of models.
   *
   * @param workload the workload file, whose folder paths are relative to
   * @param resolver reads what a path names
   */
  ModelSource(Path workload, ModelResolver resolver) {
    this.workload = workload;
    this.resolver = resolver;
  }

  /** The keys of {@code model}, which is checked, those of its preset or file included. */
  Node.Fields complete(Node model) {
    if (model instanceof Node.Scalar name) {
      return named(name, "model", model.place());
    }
    Node.Fields own = (Node.Fields) model;
    if (own.get("preset") instanceof Node.Scalar name) {
      Node.Fields preset = named(name, "model.preset", own.place());
      Node.Fields changes = own.without("preset");
      return preset.with("name", changedName(preset, changes)).overlaid(changes);
    }
    return own;
  }

  /** A changed model must not pass for the real one in a report. */
  private static Node changedName(Node.Fields preset, Node.Fields changes) {
    String name = preset.get("name") instanceof Node.Scalar scalar ? scalar.raw() : "";
    return word(preset.place(), changes.fields().isEmpty() ? name : name + "-changed");
  }

  private Node.Fields named(Node.Scalar name, String key, Place place) {
    if (!NameOrPath.isPath(name.raw())) {
      return Presets.at(name.raw(), place);
    }
    String source = name.place().at(key);
    Path file = Located.find(workload, name, source);
    Node.Fields imported = fields(resolver.resolve(file, source), place);
    // An importer is foreign code: what it says is checked as if it were typed.
    Problems problems = new Problems();
    new KeyCheck(problems, false).fields("model", imported, false, "model");
    problems.report();
    return imported;
  }

  /** {@code model} as it would be typed, each value standing at {@code place}. */
  private static Node.Fields fields(ModelDescription model, Place place) {
    Node.Fields fields =
        new Node.Fields(place, Map.of())
            .with("name", word(place, model.name()))
            .with("family", word(place, family(model)))
            .with("layers", whole(place, model.layers()))
            .with("hidden", whole(place, model.hidden()))
            .with("heads", whole(place, model.heads()))
            .with("kv_heads", whole(place, model.kvHeads()))
            .with("ffn", whole(place, model.ffn()))
            .with("vocab", whole(place, model.vocab()))
            .with("positions", whole(place, model.positions()))
            .with("norm", word(place, model.norm()))
            .with("activation", word(place, model.activation()))
            .with("bias", flag(place, model.bias()))
            .with("tied", flag(place, model.tied()))
            .with("parallel_block", flag(place, model.parallelBlock()));
    // What follows from other keys is left to them, so that it follows them when they are changed.
    if (model.latent().isEmpty() && model.headDim() * (long) model.heads() != model.hidden()) {
      fields = fields.with("head_dim", whole(place, model.headDim()));
    }
    if (model.qkvBias() != model.bias()) {
      fields = fields.with("qkv_bias", flag(place, model.qkvBias()));
    }
    return withParts(fields, model, place);
  }

  /** What not all models have. */
  private static Node.Fields withParts(Node.Fields common, ModelDescription model, Place place) {
    Node.Fields fields = common;
    if (model.qkNorm()) {
      fields = fields.with("qk_norm", flag(place, true));
    }
    if (model.latent().isPresent()) {
      Latent latent = model.latent().get();
      fields =
          fields
              .with("q_latent", whole(place, latent.queries()))
              .with("kv_latent", whole(place, latent.keysAndValues()))
              .with("plain_dim", whole(place, latent.plain()))
              .with("rotary_dim", whole(place, latent.rotary()))
              .with("value_dim", whole(place, latent.values()));
    }
    if (model.experts().isPresent()) {
      Experts experts = model.experts().get();
      fields =
          fields
              .with("experts", whole(place, experts.count()))
              .with("experts_per_token", whole(place, experts.perToken()))
              .with("expert_ffn", whole(place, experts.ffn()))
              .with("shared_experts", whole(place, experts.shared()))
              .with("dense_layers", whole(place, experts.denseLayers()));
      if (experts.choiceBias()) {
        fields = fields.with("choice_bias", flag(place, true));
      }
    }
    return fields;
  }

  /** The nearest family; it only fills what is not said, and here all is. */
  private static String family(ModelDescription model) {
    if (model.parallelBlock()) {
      return "palm";
    }
    return model.norm() == Norm.LAYERNORM ? "gpt" : "llama";
  }

  private static Node word(Place place, Object word) {
    String text = word instanceof Enum<?> ? word.toString().toLowerCase(Locale.ROOT) : "" + word;
    return new Node.Scalar(place, Node.Form.WORD, text);
  }

  private static Node whole(Place place, int number) {
    return new Node.Scalar(place, Node.Form.WHOLE, Integer.toString(number));
  }

  private static Node flag(Place place, boolean flag) {
    return new Node.Scalar(place, Node.Form.FLAG, Boolean.toString(flag));
  }
}
