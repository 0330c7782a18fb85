package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Experts;
import org.stage.api.model.ModelDescription.Latent;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.job.Origin;
import org.stage.job.Problems;
import org.stage.workloadfile.KeyType.NameOrPath;

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
  SourceNode.Fields complete(SourceNode model) {
    if (model instanceof SourceNode.Scalar name) {
      return named(name, "model", model.origin());
    }
    SourceNode.Fields own = (SourceNode.Fields) model;
    if (own.get("preset") instanceof SourceNode.Scalar name) {
      SourceNode.Fields preset = named(name, "model.preset", own.origin());
      SourceNode.Fields changes = own.without("preset");
      return preset.with("name", changedName(preset, changes)).overlaid(changes);
    }
    return own;
  }

  /** A changed model must not pass for the real one in a report. */
  private static SourceNode changedName(SourceNode.Fields preset, SourceNode.Fields changes) {
    String name = preset.get("name") instanceof SourceNode.Scalar scalar ? scalar.raw() : "";
    return word(preset.origin(), changes.fields().isEmpty() ? name : name + "-changed");
  }

  private SourceNode.Fields named(SourceNode.Scalar name, String key, Origin place) {
    if (!NameOrPath.isPath(name.raw())) {
      return Presets.at(name.raw(), place);
    }
    Origin source = name.origin().at(key);
    Path file = Located.find(workload, name, source);
    SourceNode.Fields imported = fields(resolver.resolve(file, source.toString()), place);
    // An importer is foreign code: what it says is checked as if it were typed.
    Problems problems = new Problems();
    new KeyCheck(problems, false).fields("model", imported, false, "model");
    problems.report();
    return imported;
  }

  /** {@code model} as it would be typed, each value standing at {@code place}. */
  private static SourceNode.Fields fields(ModelDescription model, Origin place) {
    SourceNode.Fields fields =
        new SourceNode.Fields(place, Map.of())
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
  private static SourceNode.Fields withParts(
      SourceNode.Fields common, ModelDescription model, Origin place) {
    SourceNode.Fields fields = common;
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

  private static SourceNode word(Origin place, Object word) {
    String text = word instanceof Enum<?> ? word.toString().toLowerCase(Locale.ROOT) : "" + word;
    return new SourceNode.Scalar(place, SourceNode.Form.WORD, text);
  }

  private static SourceNode whole(Origin place, int number) {
    return new SourceNode.Scalar(place, SourceNode.Form.WHOLE, Integer.toString(number));
  }

  private static SourceNode flag(Origin place, boolean flag) {
    return new SourceNode.Scalar(place, SourceNode.Form.FLAG, Boolean.toString(flag));
  }
}
