package org.stage.workloadfile;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.job.Block;
import org.stage.job.Block.FeedForward;
import org.stage.job.Model;
import org.stage.job.Model.Dimensions;
import org.stage.job.Model.Ends;
import org.stage.job.Model.Experts;
import org.stage.job.Problems;
import org.stage.workloadfile.SourceNode.Fields;
import org.stage.workloadfile.SourceNode.Scalar;

/** Makes a model of its keys, completed by its family. */
final class ModelReader {
  private static final String FAMILY = "model.family";

  private final Values values;
  private final Family family;
  private final ModelFacts facts;

  ModelReader(Values values) {
    this(values, Family.of(values.has(FAMILY) ? values.word(FAMILY) : Family.COMMON));
  }

  ModelReader(Values values, Family family) {
    this.values = values;
    this.family = family;
    this.facts = new ModelFacts(values, family);
  }

  /**
   * The model at {@code model}, whose presets are resolved and whose values are checked one by one.
   */
  Model read() {
    refuseMissing();
    new ModelCheck(values, facts).run();
    Ends ends =
        new Ends(end("embedding"), end("head"), end("table"), features(), facts.flag("tied"));
    Model.Builder model = Model.builder(facts.word("name"), ends, dimensions());
    addRuns(model, ends);
    addSizes(model);
    if (facts.has("experts")) {
      model.experts(
          new Experts(
              facts.whole("experts"),
              facts.whole("experts_per_token"),
              facts.whole("expert_ffn"),
              facts.whole("shared_experts")));
    }
    facts
        .first(family.cases("untrained"))
        .ifPresent(sum -> model.untrained(facts.number(word(sum))));
    return model.build();
  }

  /** Without these nothing can be completed, so they are reported at once. */
  private void refuseMissing() {
    Problems missing = new Problems();
    if (!values.has(FAMILY)) {
      addMissing(missing, FAMILY);
    }
    family
        .entries("required")
        .forEach(
            (key, when) -> {
              if (facts.holds(when) && !facts.has(key)) {
                addMissing(missing, "model." + key);
              }
            });
    missing.report();
  }

  private void addMissing(Problems missing, String path) {
    String remedy =
        "Add it: "
            + Keys.at(path).type().expected()
            + "; or name a preset and change it: {preset: NAME}.";
    missing.add(values.origin(path), "is missing", remedy);
  }

  private String end(String which) {
    return word(Objects.requireNonNull(family.entries("ends").get(which), which));
  }

  private Dimensions dimensions() {
    return new Dimensions(
        facts.whole("heads"),
        facts.whole("kv_heads"),
        facts.whole("ffn"),
        facts.whole("vocab"),
        facts.whole("positions"));
  }

  private Set<String> features() {
    return family.entries("features").entrySet().stream()
        .filter(feature -> facts.holds(feature.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Adds the runs that the model has, as far as it has layers.
   *
   * @throws IllegalStateException if the family says nothing of some of its layers
   */
  private void addRuns(Model.Builder model, Ends ends) {
    long left = facts.whole("layers");
    for (Fields run : family.maps("runs")) {
      if (!facts.holds(Family.when(run))) {
        continue;
      }
      long count = Math.min(left, facts.number(word(Family.needed(run, "layers"))));
      if (count > 0) {
        model.run(block(run, ends), (int) count);
        left -= count;
      }
    }
    if (left > 0) {
      throw new IllegalStateException(
          "the runs of family " + family.name() + " leave out " + left + " layers");
    }
  }

  private Block block(Fields run, Ends ends) {
    boolean mixture = run.get("mixture") != null;
    String module = word(Family.needed(run, mixture ? "mixture" : "dense"));
    SourceNode own = run.get("mixer");
    String mixer = own == null ? mixer() : word(own);
    return new Block(mixer, new FeedForward(module, mixture), ends.features());
  }

  private String mixer() {
    if (family.sections().get("mixer") instanceof Scalar module) {
      return module.raw();
    }
    return family.entries("mixer").entrySet().stream()
        .filter(module -> facts.holds(module.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no mixer of " + family.name()));
  }

  private void addSizes(Model.Builder model) {
    for (Key key : Keys.in("model")) {
      if (!key.symbol().isEmpty() && facts.has(key.name())) {
        model.size(key.symbol(), facts.whole(key.name()));
      }
    }
    for (String symbol : family.entries("sizes").keySet()) {
      Optional<SourceNode> sum = facts.first(family.cases("sizes", symbol));
      sum.ifPresent(of -> model.size(symbol, facts.number(word(of))));
    }
  }

  private static String word(SourceNode node) {
    return ((Scalar) node).raw();
  }
}
