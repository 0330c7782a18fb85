package org.stage.workloadfile;

import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.job.GradientReduction;
import org.stage.job.GradientReduction.When;
import org.stage.job.Nearest;
import org.stage.job.ParameterGathering;
import org.stage.job.StateSharding;
import org.stage.job.StateSharding.Regather;

/** Reads how states are sharded over data-parallel ranks, and how these exchange them. */
final class ShardingReader {
  private static final String GROUP = "training.zero_group";
  private static final String BUCKET = "training.bucket_mb";
  private static final String OVERLAP_PARAMETERS = "training.overlap_parameters";
  private static final String PREFETCH = "training.prefetch";

  private final Values values;
  private final Mesh mesh;
  private final Framework usual;
  private final int zero;

  ShardingReader(Values values, Mesh mesh) {
    this.values = values;
    this.mesh = mesh;
    this.usual = Framework.of(values);
    this.zero = values.whole("training.zero");
  }

  /**
   * Reads it.
   *
   * @param type data type of gradients
   */
  StateSharding read(DataType type) {
    if (zero >= 2 && mesh.degree("pp") > 1 && !usual.shardsGradientsOfPipelines()) {
      values.fault(
          "training.zero",
          zero + " is not what DeepSpeed does with mesh.pp " + mesh.degree("pp"),
          "Set training.zero to 0 or 1, mesh.pp to 1, or take another framework.");
    }
    return new StateSharding(zero, group(), gradients(type), parameters());
  }

  private int group() {
    int dp = mesh.degree("dp");
    int replicas = dp * mesh.degree("cp") * mesh.degree("ep");
    String asked = values.word(GROUP);
    int group = asked.equals("whole") ? replicas : values.whole(GROUP);
    if (replicas != dp && group != replicas) {
      values.fault(
          GROUP,
          group + " is not available with context or expert parallelism in this version",
          "Available: whole.");
    } else if (group != replicas && ExpertReader.tp(values, mesh) < mesh.degree("tp")) {
      values.fault(
          GROUP,
          group + " is not available with training.expert_tp below mesh.tp in this version",
          "Available: whole.");
    } else if (replicas % group != 0) {
      values.fault(
          GROUP,
          group + " does not divide mesh.dp " + dp,
          Nearest.remedy("Nearest that do", Nearest.fitting(group, dp, count -> dp % count == 0)));
    }
    return group;
  }

  private GradientReduction gradients(DataType type) {
    boolean overlaps =
        values.flag("training.overlap_gradients", usual.overlapsGradients(zero, mesh));
    boolean allReduces =
        values.has("training.zero_reduction")
            ? values.word("training.zero_reduction").equals("all-reduce")
            : usual.reducesWhole(zero);
    return new GradientReduction(
        overlaps ? usual.overlap() : When.AT_END, bucket(overlaps, type), allReduces);
  }

  /** Most elements in one collective. */
  private long bucket(boolean overlaps, DataType type) {
    boolean cut = values.has(BUCKET) && !values.word(BUCKET).equals("none");
    if (cut && zero >= 2) {
      values.fault(
          BUCKET,
          "buckets do not apply under training.zero " + zero + ", which scatters by module",
          "Remove it, or set training.zero to 0 or 1.");
    }
    if (values.has(BUCKET)) {
      return cut ? values.whole(BUCKET) * 1_000_000L / type.bytes() : 0;
    }
    return zero >= 2 ? 0 : usual.bucket(overlaps, mesh);
  }

  private ParameterGathering parameters() {
    boolean overlaps = values.flag(OVERLAP_PARAMETERS, usual.overlapsParameters(zero, mesh));
    if (!overlaps && zero == 3 && values.has(PREFETCH) && values.whole(PREFETCH) > 0) {
      values.fault(
          PREFETCH,
          "gathers ahead, which " + OVERLAP_PARAMETERS + ": false forbids",
          "Set one of them only.");
    }
    return new ParameterGathering(
        overlaps,
        overlaps || zero < 3 ? values.whole(PREFETCH) : 0,
        values.has("training.zero_regather")
            ? values.constant("training.zero_regather", Regather.class)
            : usual.regather(),
        values.has("training.zero_persistent")
            ? values.whole("training.zero_persistent")
            : usual.persistent(zero));
  }
}
