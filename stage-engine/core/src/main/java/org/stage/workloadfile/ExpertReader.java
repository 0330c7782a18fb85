package org.stage.workloadfile;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.stage.api.workload.Mesh;
import org.stage.job.ExpertRows;
import org.stage.job.ExpertStrategy;
import org.stage.job.ExpertStrategy.Load;
import org.stage.job.Model;
import org.stage.job.NamePattern;
import org.stage.job.Nearest;

/** Reads how a training step runs its experts, and checks it against model and mesh. */
final class ExpertReader {
  private static final String TP = "training.expert_tp";
  private static final String TOKENS = "training.expert_inputs";
  private static final String LOAD = "training.expert_load";
  private static final String CAPACITY = "training.expert_capacity.factor";

  private final Values values;
  private final Model model;
  private final Mesh mesh;

  ExpertReader(Values values, Model model, Mesh mesh) {
    this.values = values;
    this.model = model;
    this.mesh = mesh;
  }

  /** Tensor parallelism of experts, as it is written. */
  static int tp(Values values, Mesh mesh) {
    return values.word(TP).equals("as tp") ? mesh.degree("tp") : values.whole(TP);
  }

  /**
   * Reads it.
   *
   * @param tokens tokens of a micro-batch on one rank, where they are not parts of sequences
   */
  ExpertStrategy read(boolean sequenceParallel, long tokens) {
    int tp = tp(sequenceParallel);
    boolean whole = wholeTokens(sequenceParallel, tp);
    ExpertStrategy strategy =
        new ExpertStrategy(
            tp,
            values.has(CAPACITY)
                ? OptionalDouble.of(values.decimal(CAPACITY))
                : OptionalDouble.empty(),
            values.flag("training.expert_capacity.pad"),
            loads(),
            values.word("training.expert_gates").equals("activation"),
            whole);
    long own = sequenceParallel && !whole ? tokens / mesh.degree("tp") : tokens;
    model.experts().ifPresent(experts -> checkRows(experts, strategy, own));
    return strategy;
  }

  /** Copies of experts over tp are for tokens of their own. */
  private boolean wholeTokens(boolean sequenceParallel, int tp) {
    boolean copies = tp < mesh.degree("tp");
    if (values.has(TOKENS)) {
      boolean asked = values.word(TOKENS).equals("gathered");
      if (asked && copies) {
        values.fault(
            TOKENS,
            "gathered needs experts that all of mesh.tp split; training.expert_tp is " + tp,
            "Remove one of them.");
      }
      return asked && sequenceParallel;
    }
    return sequenceParallel && !copies && Framework.of(values).gathersOnce();
  }

  private int tp(boolean sequenceParallel) {
    int whole = mesh.degree("tp");
    int tp = tp(values, mesh);
    int copies = whole / tp;
    int kvHeads = (int) Nearest.commonDivisor(whole, model.kvHeads());
    int heads = (int) Nearest.commonDivisor(whole, model.heads());
    if (values.has(TP) && model.experts().isEmpty()) {
      fault("needs a model with experts; " + model.name() + " has none", "Remove it.");
    } else if (whole % tp != 0) {
      fault(
          tp + " does not divide mesh.tp " + whole,
          Nearest.remedy("Nearest that do", Nearest.fitting(tp, whole, n -> whole % n == 0)));
    } else if (tp < whole && !sequenceParallel) {
      fault(
          tp
              + " is below mesh.tp "
              + whole
              + ", which needs training.sequence_parallel: true: without, all tensor-parallel ranks"
              + " have the same tokens, and copies of an expert would do the same work",
          "Set that, or remove this.");
    } else if (!divide(copies, kvHeads) || !divide(copies, heads)) {
      boolean keys = !divide(copies, kvHeads);
      fault(
          String.format(
              "%d makes %d copies of experts over mesh.tp; they and the %d parts of %s heads"
                  + " do not divide one another",
              tp, copies, keys ? kvHeads : heads, keys ? "key/value" : "query"),
          Nearest.remedy(
              "Nearest that do",
              Nearest.fitting(
                  tp,
                  whole,
                  n ->
                      whole % n == 0
                          && divide((int) (whole / n), kvHeads)
                          && divide((int) (whole / n), heads))));
    } else {
      return tp;
    }
    return whole;
  }

  /** Both cut tp into an outer and an inner part: one of the cuts must lie within a part. */
  private static boolean divide(int one, int other) {
    return one % other == 0 || other % one == 0;
  }

  private List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    if (values.node(LOAD).orElse(null) instanceof SourceNode.Fields patterns) {
      patterns
          .fields()
          .forEach((pattern, list) -> load(pattern, (SourceNode.Items) list).ifPresent(loads::add));
    }
    return loads;
  }

  private Optional<Load> load(String pattern, SourceNode.Items list) {
    NamePattern layers = new NamePattern(pattern);
    int experts = model.experts().map(Model.Experts::count).orElse(0);
    int[] having = model.layersWithExperts().toArray();
    List<BigDecimal> weights =
        list.items().stream()
            .map(item -> new BigDecimal(((SourceNode.Scalar) item).raw()))
            .toList();
    String wrong = "";
    String remedy = "Remove it.";
    if (experts == 0) {
      wrong = "needs a model with experts; " + model.name() + " has none";
    } else if (IntStream.of(having).noneMatch(layer -> layers.matches("layers." + layer))) {
      wrong = "is the name of no layer with experts";
      remedy = having.length == 0 ? remedy : "They are " + span(having) + ".";
    } else if (weights.size() != experts) {
      wrong = "has " + weights.size() + " loads for " + experts + " experts of " + model.name();
      remedy = "Give one for each.";
    } else if (weights.stream().allMatch(weight -> weight.signum() == 0)) {
      wrong = "has no load above 0";
      remedy = "Give relative loads, such as 1.";
    }
    if (!wrong.isEmpty()) {
      values.problems().add(list.origin().at(LOAD + "." + pattern), wrong, remedy);
      return Optional.empty();
    }
    return Optional.of(new Load(layers, weights));
  }

  /** Layers by their first and last; those between them are meant too. */
  private static String span(int[] layers) {
    return "layers." + layers[0] + " to layers." + layers[layers.length - 1];
  }

  /** A rank without a row would have kernels and collectives of nothing. */
  private void checkRows(Model.Experts experts, ExpertStrategy how, long tokens) {
    int ep = mesh.degree("ep");
    if (how.loads().isEmpty() || experts.count() % ep != 0) {
      return;
    }
    for (int layer : model.layersWithExperts().toArray()) {
      String name = "layers." + layer;
      List<Long> rows = ExpertRows.of(experts, ep, tokens, how, name).received();
      if (Collections.min(rows) == 0) {
        values.fault(
            LOAD,
            "leaves the experts of expert-parallel rank "
                + rows.indexOf(0L)
                + " without rows in "
                + name,
            "Give one of them a larger load, or lower mesh.ep.");
        return;
      }
    }
  }

  private void fault(String message, String remedy) {
    values.fault(TP, message, remedy);
  }
}
