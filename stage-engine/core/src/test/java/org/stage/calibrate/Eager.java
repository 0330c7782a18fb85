package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Profile;
import org.stage.api.profile.ProfileStep;
import org.stage.api.profile.ProfiledDevice;
import org.stage.api.profile.Runs;
import org.stage.api.profile.TimeSpan;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;

/** A profile of one step whose kernels run one after the other. */
final class Eager {
  private final List<MeasuredOperator> operators = new ArrayList<>();
  private String module = "";
  private Phase phase = Phase.FORWARD;
  private long now;
  private long ns;

  /** What follows is called in a module. */
  Eager in(String path) {
    module = path;
    return this;
  }

  /** What follows belongs to the backward pass. */
  Eager backward() {
    phase = Phase.BACKWARD;
    return this;
  }

  Eager gemm(long m, long n, long k, long takes) {
    return gemm(1, m, n, k, takes);
  }

  Eager gemm(long batch, long m, long n, long k, long takes) {
    return run(Kind.GEMM, "aten::mm", OperatorShape.of(new MatrixShape(batch, m, n, k)), takes);
  }

  Eager attention(long heads, long sequence, long width, long takes) {
    MatrixShape shape = new MatrixShape(heads, sequence, sequence, width);
    return run(Kind.ATTENTION, "flash", new OperatorShape(shape, true, 0, 0), takes);
  }

  Eager element(String name, long elements, long takes) {
    return run(Kind.ELEMENTWISE, name, OperatorShape.ofElements(elements), takes);
  }

  /** Work whose size the profile does not tell. */
  Eager run(Kind kind, String name, long takes) {
    return run(kind, name, OperatorShape.UNKNOWN, takes);
  }

  private Eager run(Kind kind, String name, OperatorShape shape, long takes) {
    OperatorWork work =
        OperatorWork.builder(kind, name)
            .shape(shape)
            .dataType("bf16")
            .module(module)
            .phase(phase)
            .build();
    now += 1_000_000;
    ns += takes;
    Runs runs = Runs.of(new long[] {now}, new long[] {takes}, new int[1], new long[1]);
    operators.add(new MeasuredOperator(work, runs, 0));
    return this;
  }

  /** All kernels together, nanoseconds. */
  long ns() {
    return ns;
  }

  Profile profile() {
    return new Profile(
        "rank0.json",
        ProfiledDevice.UNKNOWN,
        OptionalInt.of(0),
        TimeSpan.NONE,
        List.of(new ProfileStep("step", 0, 0)),
        operators,
        Profiled.NOTHING_COVERED);
  }
}
