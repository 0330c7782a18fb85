package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.engine.Synthesis;
import org.stage.job.InjectedDuration;
import org.stage.job.Job;
import org.stage.job.NamePattern;
import org.stage.job.Origin;

class CalibrationTest {
  /** Hidden 512, 4 heads of 128, feed-forward 1024; 2 layers, 2 micro-batches of 256 tokens. */
  private static final String SMALL =
      "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
          + " mesh: {tp: %d}, training: {global_batch: 2, seq: 256}, hardware: h100}";

  private static final String LLAMA =
      "{model: {preset: llama-3.1-8b, layers: 4}, mesh: {tp: %d}, hardware: h100,"
          + " training: {global_batch: 2, seq: 4096, sequence_parallel: true}}";

  private final Job small = Profiled.spec(SMALL.formatted(1));

  @Test
  void aMeasuredProductIsThatOfEveryLayerAndMicroBatch() {
    // up: 256 tokens x 512 by 512 x 1024
    Profile profile = Profiled.of(0, Profiled.gemm(256, 1024, 512, 7_000, 7_100, 6_900));
    List<Node> nodes = nodes(Profiled.with(small, profile));
    assertThat(nodes.stream().filter(node -> node.name().endsWith(".mlp.up")))
        .hasSize(4)
        .allMatch(node -> node.details().durationNs().equals(OptionalLong.of(7_000)));
  }

  @Test
  void aTransposedProductFitsWhereTheSameDoesNot() {
    Profile profile = Profiled.of(0, Profiled.gemm(1024, 256, 512, 7_000));
    Synthesis job = Profiled.with(small, profile);
    assertThat(duration(job, "mb0.layers.1.mlp.up")).hasValue(7_000);
    assertThat(lines(job, Kind.GEMM, Level.SWAPPED)).isPositive();
  }

  @Test
  void aHalfMeasuredJobKeepsItsEstimatesAndSaysHowMuchIsMeasured() {
    Profile profile = Profiled.of(0, Profiled.elementwise("aten::gelu", 256 * 1024, 2_000));
    Synthesis job = Profiled.with(small, profile);
    assertThat(duration(job, "mb0.layers.0.mlp.activation")).hasValue(2_000);
    assertThat(duration(job, "mb0.layers.0.mlp.up")).isEmpty();
    CalibrationReport report = job.calibration().orElseThrow();
    assertThat(report.coverage(Level.CLASS).orElseThrow()).isBetween(0.01, 0.9);
    assertThat(report.steps().measuredCompute()).isEqualTo(2_000);
    assertThat(lines(job, Kind.GEMM, Level.ANALYTIC)).isPositive();
  }

  @Test
  void aProfileIsUsedOnlyForTheNamesThatItIsMeantFor() {
    Profile profile = Profiled.of(0, Profiled.gemm(256, 1024, 512, 7_000));
    Synthesis job =
        Synthesis.of(
            small,
            new KnownTimes(
                List.of(
                    new KnownTimes.Measured(profile, Optional.of(new NamePattern("layers.1.mlp")))),
                List.of()));
    assertThat(duration(job, "mb1.layers.1.mlp.up")).hasValue(7_000);
    assertThat(duration(job, "mb1.layers.0.mlp.up")).isEmpty();
    assertThat(duration(job, "mb1.layers.1.attention.query")).isEmpty();
  }

  @Test
  void inDualPipeBothCopiesOfALayerAndTheirExchangeHaveADuration() {
    Job spec =
        Profiled.spec(
            "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
                + " mesh: {pp: 2}, training: {global_batch: 4, seq: 256, schedule: dualpipe},"
                + " hardware: h100}");
    KnownTimes times =
        new KnownTimes(
            List.of(),
            List.of(
                injection("layers.*.mlp.up", 7_000),
                injection("layers.1.grad.all-reduce.pp.copies", 9_000)));
    for (RankClass each : Synthesis.of(spec, times).workload().classes()) {
      List<Node> nodes = each.graph().nodes();
      // Two micro-batches each way.
      assertThat(nodes.stream().filter(node -> node.name().endsWith(".mlp.up")))
          .hasSize(4)
          .allMatch(node -> node.details().durationNs().equals(OptionalLong.of(7_000)));
      assertThat(nodes)
          .filteredOn(node -> node.name().endsWith(".copies"))
          .filteredOn(node -> node.details().durationNs().equals(OptionalLong.of(9_000)))
          .extracting(Node::name)
          .containsExactly("layers.1.grad.all-reduce.pp.copies");
    }
  }

  @Test
  void aDurationByHandGoesBeforeAMeasuredOne() {
    Profile profile = Profiled.of(0, Profiled.gemm(256, 1024, 512, 7_000));
    Synthesis job =
        Synthesis.of(
            small,
            new KnownTimes(
                List.of(new KnownTimes.Measured(profile, Optional.empty())),
                List.of(injection("layers.*.mlp.up", 120_000), injection("**.adam", 9_000))));
    assertThat(duration(job, "mb1.layers.1.mlp.up")).hasValue(120_000);
    assertThat(duration(job, "mb1.layers.1.mlp.up.dgrad")).isNotEqualTo(OptionalLong.of(120_000));
    assertThat(duration(job, "layers.0.adam")).hasValue(9_000);
    assertThat(duration(job, "head.adam")).hasValue(9_000);
  }

  @Test
  void aDurationForNobodyIsRefusedWithANameThatThereIs() {
    KnownTimes times = new KnownTimes(List.of(), List.of(injection("layers.*.attention", 1)));
    assertThatThrownBy(() -> Synthesis.of(small, times))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("layers.0.attention.");
  }

  @Test
  void whatIsComputedAgainTakesAsLongAsTheFirstTime() {
    Job spec = Profiled.spec(SMALL.formatted(1), "training.recompute=full");
    Profile profile = Profiled.of(0, Profiled.gemm(256, 1024, 512, 7_000));
    Synthesis job = Profiled.with(spec, profile);
    assertThat(duration(job, "mb1.layers.1.mlp.up.recompute")).hasValue(7_000);
  }

  @Test
  void collectivesTakeTheLeastOfAllRanks() {
    Job spec = Profiled.spec(SMALL.formatted(2));
    long bytes = 256 * 512 * 2;
    Profile first =
        Profiled.of(0, Profiled.collective(Kind.ALL_REDUCE, bytes, 2, 90_000, 11_000, 50_000));
    Profile second =
        Profiled.of(1, Profiled.collective(Kind.ALL_REDUCE, bytes, 2, 10_000, 80_000, 12_000));
    Synthesis job = Profiled.with(spec, first, second);
    assertThat(
            nodes(job).stream()
                .filter(node -> node instanceof Node.Collective each && each.bytes() == bytes))
        .isNotEmpty()
        .allMatch(node -> node.details().durationNs().equals(OptionalLong.of(11_000)));
    assertThat(job.calibration().orElseThrow().warnings()).noneMatch(w -> w.contains("waiting"));
  }

  @Test
  void aProfileOfAJobGivesTheJobItsStepTimeBack() {
    Job spec = Profiled.spec(LLAMA.formatted(4));
    Profile profile = Profiled.of(Profiled.plan(spec), 0, CalibrationTest::onADevice);
    Synthesis job = Profiled.with(spec, profile);
    long measured = profile.operators().stream().mapToLong(each -> each.runs().totalNs()).sum();
    long injected =
        nodes(job).stream().mapToLong(node -> node.details().durationNs().orElse(0)).sum();
    assertThat((double) injected).isCloseTo((double) measured, within(1e-3 * measured));
    CalibrationReport report = job.calibration().orElseThrow();
    assertThat(report.coverage(Level.EXACT).orElseThrow()).isGreaterThan(0.999);
    assertThat(report.residuals()).isEmpty();
    assertThat(report.steps().knownCompute())
        .isCloseTo(
            report.steps().measuredCompute(), within(1e-3 * report.steps().measuredCompute()));
  }

  /** Devices whose products become efficient slowly or quickly, and hardly or mostly by size. */
  @ParameterizedTest
  @CsvSource({"4,8,256", "4,8,64", "4,8,1024", "4,2,256", "4,2,64", "8,4,256", "8,2,1024"})
  void aProfileAtOneTpPredictsAnotherWithinTheErrorThatTheReportStates(
      int measured, int wanted, int side) {
    ToDoubleFunction<ProfileWork> law = work -> onADevice(work, side);
    Profile profile = Profiled.of(Profiled.plan(Profiled.spec(LLAMA.formatted(measured))), 0, law);
    Job other = Profiled.spec(LLAMA.formatted(wanted));
    CalibrationReport report = Profiled.with(other, profile).calibration().orElseThrow();
    Profile truth = Profiled.of(Profiled.plan(other), 0, law);
    double real =
        truth.operators().stream()
            .filter(each -> !each.kind().isCommunication())
            .mapToLong(each -> each.runs().totalNs())
            .sum();
    double factor = report.steps().knownCompute() / real;
    double stated = report.computeFactor().orElseThrow();
    assertThat(Math.max(factor, 1 / factor)).isLessThanOrEqualTo(stated);
    // and a statement that is worth something
    assertThat(stated).isLessThan(2.5);
    assertThat(report.coverage(Level.CLASS).orElseThrow()).isGreaterThan(0.99);
  }

  /**
   * A device with a launch of 2 us, products whose efficiency falls with their smallest side, and
   * 2.5 TB/s.
   */
  private static double onADevice(ProfileWork work) {
    return onADevice(work, 256);
  }

  /** With the side of which a product has half of the efficiency. */
  private static double onADevice(ProfileWork work, int half) {
    Extent extent = work.extent();
    if (work.kind().isCommunication()) {
      return 8_000 + work.size().bytes() / 200.0;
    }
    double efficiency = 0.7;
    if (work.kind() == Kind.GEMM) {
      double side =
          Math.min(
              Math.min(work.size().shape().m(), work.size().shape().n()), work.size().shape().k());
      efficiency = 0.8 * side / (side + half);
    }
    return 2_000 + Math.max(extent.flops() / (efficiency * 989e3), extent.bytes() / 2.5e3);
  }

  private static InjectedDuration injection(String pattern, long ns) {
    Origin origin = new Origin("job.yaml", 1, "inject." + pattern);
    return new InjectedDuration(new NamePattern(pattern), ns, origin);
  }

  private static List<Node> nodes(Synthesis job) {
    return job.workload().classes().get(0).graph().nodes();
  }

  private static OptionalLong duration(Synthesis job, String name) {
    return nodes(job).stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow()
        .details()
        .durationNs();
  }

  private static long lines(Synthesis job, Kind kind, Level level) {
    return job.calibration().orElseThrow().lines().stream()
        .filter(line -> line.kind() == kind && line.level() == level)
        .mapToLong(CalibrationReport.Line::nodes)
        .sum();
  }
}
