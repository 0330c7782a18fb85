package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
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

/** Durations of real runs that are no measure as they stand. */
class TrapsTest {
  /** Up: 256 tokens x 512 by 512 x 1024. */
  private final Job job =
      Profiled.spec(
          "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
              + " training: {global_batch: 1, seq: 256}, hardware: h100}");

  private final MatrixShape up = new MatrixShape(1, 256, 1024, 512);

  @Test
  void kernelsBesideCommunicationAreNoMeasureWhereOthersRanAlone() {
    // two of three run beside an all-reduce from 0 to 100 us, and take longer by a third
    MeasuredOperator products =
        product(Phase.FORWARD, up, new long[] {10, 50, 200}, new long[] {9_300, 9_300, 7_000});
    assertThat(duration(products, reduction(0, 100_000))).hasValue(7_000);
  }

  @Test
  void kernelsBesideCommunicationAreTheMeasureWhereNoneRanAlone() {
    MeasuredOperator products =
        product(Phase.FORWARD, up, new long[] {10, 50}, new long[] {9_300, 9_300});
    assertThat(duration(products, reduction(0, 100_000))).hasValue(9_300);
  }

  @Test
  void aBriefTouchOfCommunicationIsNoContention() {
    MeasuredOperator products =
        product(Phase.FORWARD, up, new long[] {99, 200}, new long[] {20_000, 24_000});
    // 1 of 20 us lies beside
    assertThat(duration(products, reduction(0, 100_000))).hasValue(22_000);
  }

  @Test
  void gradientsOfWeightsAreNotPooledWithForwardProductsOfEqualShape() {
    // the gradient of the weight of down has the shape of up where tokens equal hidden sizes
    Job square =
        Profiled.spec(
            "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 512, vocab: 1024},"
                + " training: {global_batch: 1, seq: 512}, hardware: h100}");
    MatrixShape shape = new MatrixShape(1, 512, 512, 512);
    Synthesis synthesis =
        Profiled.with(
            square,
            profile(
                List.of("a"),
                product(Phase.FORWARD, shape, new long[] {10, 50}, new long[] {10_000, 10_000}),
                product(Phase.BACKWARD, shape, new long[] {90, 130}, new long[] {10_450, 10_450})));
    assertThat(duration(synthesis, "mb0.layers.0.mlp.up")).hasValue(10_000);
    assertThat(duration(synthesis, "mb0.layers.0.mlp.up.wgrad")).hasValue(10_450);
  }

  @Test
  void theFirstStepWithItsAutotuningIsNotUsed() {
    OperatorWork work = work(Kind.GEMM, Phase.FORWARD, up);
    Runs runs =
        Runs.of(
            new long[] {0, 1_000_000, 2_000_000, 3_000_000},
            new long[] {90_000, 7_100, 6_900, 7_000},
            new int[] {0, 1, 2, 3},
            new long[4]);
    Profile profile = profile(List.of("a", "b", "c", "d"), new MeasuredOperator(work, runs, 0));
    assertThat(duration(Profiled.with(job, profile), "mb0.layers.0.mlp.up")).hasValue(7_000);
  }

  @Test
  void workWithinCachesMayBeFasterThanMemory() {
    // 2 x 256 x 512 elements read in 0.1 us: 5.2 TB/s, where the memory of an H100 reads 3.35
    MeasuredOperator sum = Profiled.elementwise("aten::add", 2 * 256 * 512, 100);
    Synthesis synthesis = Profiled.with(job, Profiled.of(0, sum));
    assertThat(duration(synthesis, "mb0.layers.0.mlp_residual")).hasValue(100);
    assertThat(synthesis.calibration().orElseThrow().warnings())
        .noneMatch(each -> each.contains("faster than the device"));
  }

  private OptionalLong duration(MeasuredOperator... operators) {
    return duration(Profiled.with(job, profile(List.of("a"), operators)), "mb0.layers.0.mlp.up");
  }

  private static OptionalLong duration(Synthesis job, String name) {
    return job.workload().classes().get(0).graph().nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow()
        .details()
        .durationNs();
  }

  /** Runs that begin at these microseconds. */
  private static MeasuredOperator product(
      Phase phase, MatrixShape shape, long[] startsUs, long[] ns) {
    long[] starts = startsUs.clone();
    for (int i = 0; i < starts.length; i++) {
      starts[i] *= 1_000;
    }
    Runs runs = Runs.of(starts, ns, new int[ns.length], new long[ns.length]);
    return new MeasuredOperator(work(Kind.GEMM, phase, shape), runs, 0);
  }

  private static OperatorWork work(Kind kind, Phase phase, MatrixShape shape) {
    return OperatorWork.builder(kind, "aten::mm")
        .phase(phase)
        .shape(OperatorShape.of(shape))
        .dataType("bf16")
        .build();
  }

  private static MeasuredOperator reduction(long startNs, long ns) {
    Runs runs = Runs.of(new long[] {startNs}, new long[] {ns}, new int[1], new long[1]);
    Transfer transfer = new Transfer(1_000, 2, "dp", List.of());
    return Profiled.communication(Kind.ALL_REDUCE, "nccl", "bf16", transfer, runs);
  }

  private static Profile profile(List<String> steps, MeasuredOperator... operators) {
    List<ProfileStep> marks = new ArrayList<>();
    steps.forEach(name -> marks.add(new ProfileStep(name, marks.size() * 1_000_000L, 1_000_000)));
    return new Profile(
        "rank0.json",
        ProfiledDevice.UNKNOWN,
        OptionalInt.of(0),
        TimeSpan.NONE,
        marks,
        List.of(operators),
        Profiled.NOTHING_COVERED);
  }
}
