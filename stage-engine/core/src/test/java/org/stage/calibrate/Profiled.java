package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Profile;
import org.stage.api.profile.ProfileStep;
import org.stage.api.profile.ProfiledDevice;
import org.stage.api.profile.Runs;
import org.stage.api.profile.TimeSpan;
import org.stage.api.profile.Transfer;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;
import org.stage.engine.Synthesis;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.workloadfile.JobText;

/** Jobs, and profiles of them as a profiler would have taken them on a device of known speed. */
final class Profiled {
  static final Coverage NOTHING_COVERED = Coverage.ofCalls(new Coverage.Contents(0, 0, false));

  private Profiled() {}

  static Job spec(String yaml, String... overrides) {
    return JobText.job(yaml, overrides);
  }

  static JobPlan plan(Job spec) {
    return JobPlan.of(
        spec, ModelGraph.of(spec, ModuleLibrary.standard()), ModuleLibrary.standard());
  }

  /** A job with profiles that are used for everything. */
  static Synthesis with(Job spec, Profile... profiles) {
    return Synthesis.of(
        spec,
        new KnownTimes(
            Arrays.stream(profiles)
                .map(profile -> new KnownTimes.Measured(profile, Optional.empty()))
                .toList(),
            List.of()));
  }

  /** A product that ran with these durations. */
  static MeasuredOperator gemm(long m, long n, long k, long... ns) {
    return compute(
        Kind.GEMM, "aten::mm", OperatorShape.of(new MatrixShape(1, m, n, k)), "bf16", runs(ns));
  }

  static MeasuredOperator elementwise(String name, long elements, long... ns) {
    return compute(Kind.ELEMENTWISE, name, OperatorShape.ofElements(elements), "bf16", runs(ns));
  }

  /** A collective whose runs carry the numbers of their instances: 1, 2, ... */
  static MeasuredOperator collective(Kind kind, long bytes, int members, long... ns) {
    int[] steps = new int[ns.length];
    long[] instances = new long[ns.length];
    for (int i = 0; i < ns.length; i++) {
      instances[i] = i + 1L;
    }
    Runs runs = Runs.of(new long[ns.length], ns, steps, instances);
    Transfer transfer = new Transfer(bytes, members, "tp", List.of());
    return communication(kind, "nccl", "bf16", transfer, runs);
  }

  /** A computation whose phase and module are not known. */
  static MeasuredOperator compute(
      Kind kind, String name, OperatorShape shape, String dataType, Runs runs) {
    OperatorWork work = OperatorWork.builder(kind, name).shape(shape).dataType(dataType).build();
    return new MeasuredOperator(work, runs, 0);
  }

  /** A collective or a transfer whose phase and module are not known. */
  static MeasuredOperator communication(
      Kind kind, String name, String dataType, Transfer transfer, Runs runs) {
    OperatorWork work =
        OperatorWork.builder(kind, name).dataType(dataType).transfer(transfer).build();
    return new MeasuredOperator(work, runs, 0);
  }

  static Runs runs(long... ns) {
    return Runs.of(new long[ns.length], ns, new int[ns.length], new long[ns.length]);
  }

  /** A profile of one step. */
  static Profile of(int rank, MeasuredOperator... operators) {
    return of(rank, List.of(operators));
  }

  private static Profile of(int rank, List<MeasuredOperator> operators) {
    return new Profile(
        "rank" + rank + ".json",
        ProfiledDevice.UNKNOWN,
        OptionalInt.of(rank),
        TimeSpan.NONE,
        List.of(new ProfileStep("step", 0, 0)),
        operators,
        NOTHING_COVERED);
  }

  /** What a profiler sees of a step of the first rank of {@code stage}. */
  static Profile of(JobPlan job, int stage, ToDoubleFunction<ProfileWork> law) {
    List<MeasuredOperator> operators = new ArrayList<>();
    for (StepPlan.Unit unit : job.stepPlans().get(stage).units()) {
      for (ProfileWork work : ActionWork.of(job, unit.plan())) {
        long[] ns = new long[Math.toIntExact(work.perStep())];
        Arrays.fill(ns, Math.round(law.applyAsDouble(work)));
        operators.add(operator(work, runs(ns)));
      }
    }
    return of(stage, operators);
  }

  private static MeasuredOperator operator(ProfileWork work, Runs runs) {
    ProfileWork.Size size = work.size();
    boolean moves = work.kind().isCommunication();
    OperatorWork seen =
        OperatorWork.builder(work.kind(), work.operator())
            .phase(work.backward() ? Phase.BACKWARD : Phase.FORWARD)
            .shape(
                new OperatorShape(
                    size.shape(), false, moves ? 0 : size.elements(), 0, size.addedBytes()))
            .dataType(size.type())
            .transfer(
                moves ? new Transfer(size.bytes(), size.groupSize(), "", List.of()) : Transfer.NONE)
            .build();
    return new MeasuredOperator(seen, runs, 0);
  }
}
