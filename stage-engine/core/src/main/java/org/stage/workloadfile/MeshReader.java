package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.job.Model;
import org.stage.job.Nearest;

/** Lays the device mesh and checks that the model can be split over it. */
final class MeshReader {
  /** Axes that this version can have; the others have degree 1 in every file. */
  private static final Set<String> ALWAYS = Set.of("tp", "dp", "pp");

  private final Values values;

  MeshReader(Values values) {
    this.values = values;
  }

  /** The mesh. Degrees whose product is too large are reported at once. */
  Mesh read() {
    List<String> order = order();
    long devices = 1;
    List<MeshAxis> axes = new ArrayList<>();
    for (String name : order) {
      int degree = degree(name);
      devices *= degree;
      if (devices > Keys.DEVICES) {
        values.fault(
            "mesh." + name,
            degree + " makes more than " + Keys.DEVICES + " devices in all",
            "Lower a degree.");
        values.problems().report();
      }
      if (ALWAYS.contains(name) || degree > 1) {
        axes.add(new MeshAxis(name, degree));
      }
    }
    return new Mesh(axes);
  }

  /** The degree of an axis; dp without ep, where ep is carved out of it. */
  private int degree(String name) {
    int degree = values.whole("mesh." + name);
    if (!name.equals("dp") || !values.flag("mesh.ep_in_dp")) {
      return degree;
    }
    int ep = values.whole("mesh.ep");
    if (degree % ep != 0) {
      values.fault(
          "mesh.ep",
          ep + " does not divide mesh.dp " + degree + ", out of which mesh.ep_in_dp carves it",
          Nearest.remedy("Nearest that do", Nearest.fitting(ep, degree, n -> degree % n == 0))
              + expertsOverTp(degree));
      values.problems().report();
    }
    return degree / ep;
  }

  /** What lays experts over tensor parallelism, of which ep has no part. */
  private String expertsOverTp(int dp) {
    int tp = values.whole("mesh.tp");
    return tp == 1
        ? ""
        : String.format(
            " Or, without mesh.ep, rules: {expert: tp, expert_mlp: none} lays experts over %d"
                + " ranks of tp, {expert: [tp, dp], expert_mlp: none} over %d.",
            tp, tp * dp);
  }

  private List<String> order() {
    if (!values.has("mesh.order")) {
      return Keys.AXES;
    }
    List<String> order = new ArrayList<>();
    for (SourceNode item : values.items("mesh.order")) {
      order.add(((SourceNode.Scalar) item).raw());
    }
    for (String axis : Keys.AXES) {
      if (order.contains(axis)) {
        continue;
      }
      if (values.whole("mesh." + axis) > 1) {
        values.fault(
            "mesh.order",
            "lacks " + axis + ", whose degree is " + values.whole("mesh." + axis),
            "Add it.");
      }
      // An axis of one device does not change any rank, wherever it stands.
      order.add(axis);
    }
    return order;
  }

  /** Checks that {@code mesh} splits {@code model}. */
  void check(Mesh mesh, Model model) {
    int tp = mesh.degree("tp");
    LongPredicate heads = t -> splitsHeads(t, model);
    LongPredicate fits = t -> heads.test(t) && splitsKeys(t, model) && model.ffn() % t == 0;
    if (!fits.test(tp)) {
      String of = " of " + model.name();
      String message =
          !heads.test(tp)
              ? tp + " does not divide " + model.heads() + " attention heads" + of
              : model.ffn() % tp != 0
                  ? tp + " does not divide the feed-forward width " + model.ffn() + of
                  : tp
                      + " and "
                      + model.kvHeads()
                      + " key/value heads"
                      + of
                      + " do not divide one another";
      long last = tp > model.heads() ? 2L * tp : model.heads();
      List<Long> nearest = Nearest.fitting(tp, last, fits);
      values.fault("mesh.tp", message, Nearest.remedy("Nearest that do", nearest));
    }
    checkExperts(mesh, model);
    int pp = mesh.degree("pp");
    if (pp > model.layers()) {
      values.fault(
          "mesh.pp",
          pp + " stages are more than the " + model.layers() + " layers of " + model.name(),
          "Largest possible: " + model.layers() + ".");
    }
  }

  /** More ranks than heads replicate them; and a rule of the user may keep them whole. */
  private boolean splitsHeads(long tp, Model model) {
    return model.heads() % tp == 0 || tp > model.heads() || values.has("rules.heads");
  }

  /** Those that share out query heads have whole key/value heads, or parts of what one serves. */
  private static boolean splitsKeys(long tp, Model model) {
    long parts = Nearest.commonDivisor(tp, model.heads());
    return model.kvHeads() % parts == 0 || parts % model.kvHeads() == 0;
  }

  private void checkExperts(Mesh mesh, Model model) {
    int ep = mesh.degree("ep");
    if (ep > 1 && model.experts().isEmpty()) {
      values.fault(
          "mesh.ep",
          ep + " needs a model with experts; " + model.name() + " has none",
          "Use dp instead.");
    }
    model
        .experts()
        .ifPresent(
            experts -> {
              if (experts.count() % ep != 0) {
                values.fault(
                    "mesh.ep",
                    ep + " does not divide " + experts.count() + " experts of " + model.name(),
                    Nearest.remedy(
                        "Nearest that do",
                        Nearest.fitting(ep, experts.count(), n -> experts.count() % n == 0)));
              }
              int tp = mesh.degree("tp");
              int expertTp = ExpertReader.tp(values, mesh);
              // What does not divide tp is refused for that.
              checkWidth(tp % expertTp == 0 ? expertTp : 1, experts.ffn(), "of an expert");
              checkWidth(tp, (long) experts.shared() * experts.ffn(), "of the shared experts");
            });
  }

  private void checkWidth(int tp, long width, String of) {
    if (width % tp != 0) {
      values.fault("mesh.tp", tp + " does not divide the width " + width + " " + of, "Lower it.");
    }
  }
}
