package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.instantiate.GradientNorm;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.StagePlan;

/** What the norm of all gradients takes on a stage, in the words of profiles. */
final class GradientNormWork {
  private GradientNormWork() {}

  static List<Work> of(JobPlan job, StagePlan stage) {
    List<Work> all = new ArrayList<>();
    if (!job.spec().training().optimizer().clipsGradients()) {
      return all;
    }
    DataType type = job.precision().gradients();
    int parts = 0;
    for (StagePlan.Unit unit : stage.units()) {
      long elements = unit.plan().exchange().shard();
      if (elements > 0) {
        long bytes = Math.addExact(type.bytes(elements), DataType.FP32.bytes());
        Work.Cost cost = new Work.Cost(0, GradientNorm.otherFlops(elements), bytes);
        String name = GradientNorm.ofUnit(unit.name());
        all.add(kernel(name, GradientNorm.OPERATOR, type, elements, cost));
        parts++;
      }
    }
    if (parts > 1) {
      Work.Cost cost = new Work.Cost(0, parts - 1L, DataType.FP32.bytes(parts + 1L));
      all.add(kernel(GradientNorm.SUM, "add", DataType.FP32, parts, cost));
    }
    GradientNorm.reduction(job.spec().mesh())
        .ifPresent(sync -> all.add(UnitWork.of(GradientNorm.REDUCTION, sync, 1)));
    return all;
  }

  private static Work kernel(
      String name, String operator, DataType type, long elements, Work.Cost cost) {
    Work.Size size = new Work.Size(MatrixShape.NONE, type.text(), type.bytes(), elements, 0, 0);
    return new Work(name, Kind.ELEMENTWISE, operator, false, size, cost, 1);
  }
}
