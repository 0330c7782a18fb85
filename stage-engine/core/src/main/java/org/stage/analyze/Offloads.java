package org.stage.analyze;

import java.util.Arrays;
import org.stage.arithmetic.Sums;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.OptimizerCost;
import org.stage.instantiate.StagePlan;
import org.stage.job.Training;

/** What moves to host memory and back. */
final class Offloads {
  private Offloads() {}

  /** How often something moves there in a step of a rank; it comes back as often. */
  static long in(JobPlan job, StagePlan stage) {
    return switch (job.spec().training().offload()) {
      case NONE -> 0;
      case OPTIMIZER -> stage.units().stream().filter(unit -> states(job, unit) > 0).count();
      case ACTIVATIONS ->
          Math.multiplyExact(
              stage.units().stream().filter(StagePlan.Unit::isLayer).count(), stage.microBatches());
    };
  }

  /** Whether what a module keeps for backward lies in host memory. */
  static boolean takes(JobPlan job, StagePlan.Unit unit) {
    return unit.isLayer() && job.spec().training().offload() == Training.Offload.ACTIVATIONS;
  }

  /**
   * Bytes of optimizer states on the device: all of them; or if they lie in host memory buffers for
   * those of two modules, one that is updated and one whose states come or go.
   */
  static long optimizer(JobPlan job, StagePlan stage) {
    long[] each = stage.units().stream().mapToLong(unit -> states(job, unit)).sorted().toArray();
    boolean away = job.spec().training().offload() == Training.Offload.OPTIMIZER;
    int from = away ? Math.max(0, each.length - 2) : 0;
    return Sums.of(Arrays.stream(each, from, each.length));
  }

  private static long states(JobPlan job, StagePlan.Unit unit) {
    long shard = unit.plan().exchange().shard();
    return OptimizerCost.of(job.spec().training().optimizer().kind(), job.precision(), shard)
        .stateBytes();
  }
}
