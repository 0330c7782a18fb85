package org.stage.spec;

import java.util.List;
import java.util.OptionalDouble;
import org.stage.api.model.ModelDescription;
import org.stage.api.workload.Mesh;

/** Reads how a training step runs its experts, and checks it against model and mesh. */
final class ExpertReader {
  private static final String TP = "training.expert_tp";
  private static final String CAPACITY = "training.expert_capacity.factor";

  private final Values values;
  private final Problems problems;
  private final ModelDescription model;
  private final Mesh mesh;

  ExpertReader(Values values, Problems problems, ModelDescription model, Mesh mesh) {
    this.values = values;
    this.problems = problems;
    this.model = model;
    this.mesh = mesh;
  }

  /** Tensor parallelism of experts, as it is written. */
  static int tp(Values values, Mesh mesh) {
    return values.word(TP).equals("as tp") ? mesh.degree("tp") : values.whole(TP);
  }

  ExpertStrategy read(boolean sequenceParallel) {
    int tp = tp(sequenceParallel);
    return new ExpertStrategy(
        tp,
        values.has(CAPACITY) ? OptionalDouble.of(values.decimal(CAPACITY)) : OptionalDouble.empty(),
        true,
        List.of());
  }

  private int tp(boolean sequenceParallel) {
    int whole = mesh.degree("tp");
    int tp = tp(values, mesh);
    int copies = whole / tp;
    int kvHeads = Math.min(model.kvHeads(), whole);
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
    } else if (!divide(copies, kvHeads)) {
      fault(
          String.format(
              "%d makes %d copies of experts over mesh.tp; they and the %d parts of key/value heads"
                  + " do not divide one another",
              tp, copies, kvHeads),
          Nearest.remedy(
              "Nearest that do",
              Nearest.fitting(
                  tp, whole, n -> whole % n == 0 && divide((int) (whole / n), kvHeads))));
    } else {
      return tp;
    }
    return whole;
  }

  /** Both cut tp into an outer and an inner part: one of the cuts must lie within a part. */
  private static boolean divide(int one, int other) {
    return one % other == 0 || other % one == 0;
  }

  private void fault(String message, String remedy) {
    problems.add(values.place(TP), TP, message, remedy);
  }
}
