package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.job.Job;
import org.stage.job.NamePattern;
import org.stage.operator.OperatorRules;

/** How durations are scaled, in numbers worked out by hand; the first are those of the manual. */
class MatchingTest {
  private final Job small =
      Profiled.spec(
          "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
              + " training: {global_batch: 2, seq: 256}, hardware: h100}");

  @Test
  void similarProductsTakeTheLargerOfTheRatiosOfFlopsAndBytes() {
    Profile profile = Profiled.of(0, Profiled.gemm(256, 1024, 512, 6_900, 7_000, 7_100));
    List<Node> nodes = Profiled.with(small, profile).workload().classes().get(0).graph().nodes();
    assertThat(duration(nodes, "mb0.layers.0.mlp.up")).isEqualTo(7_000);
    assertThat(duration(nodes, "mb1.layers.1.mlp.down")).isEqualTo(7_000);
    assertThat(duration(nodes, "mb0.layers.0.attention.query")).isEqualTo(4_000);
    assertThat(duration(nodes, "mb0.head.logits")).isEqualTo(7_000);
  }

  @Test
  void betweenMeasuredSizesTheLogarithmOfTimeGoesInAStraightLine() {
    KernelMatcher matcher =
        matcher(Profiled.gemm(128, 128, 128, 1_000), Profiled.gemm(4096, 4096, 4096, 300_000));
    // 512 times the FLOPs of the smaller: 512 us; 1/16 of the bytes of the larger: 18.75 us; in
    // octaves of size 9 from the smaller and 4 from the larger
    Match match = matcher.match(gemm(1024, 1024, 1024));
    assertThat(match.level()).isEqualTo(Level.CLASS);
    double between = Math.pow(512_000, 4.0 / 13) * Math.pow(18_750, 9.0 / 13);
    assertThat(match.ns()).isCloseTo(between, within(1.0));
  }

  @Test
  void whatIsMoreThanFourTimesBeyondTheSizesMeasuredIsNotKnown() {
    KernelMatcher matcher =
        matcher(Profiled.gemm(512, 512, 512, 9_000), Profiled.gemm(512, 512, 2048, 20_000));
    assertThat(matcher.match(gemm(512, 2048, 2048)).isKnown()).isTrue();
    assertThat(matcher.match(gemm(4096, 4096, 4096)).isBeyond()).isTrue();
    // as little of smaller work: its time would be that of the launch of a larger one
    assertThat(matcher.match(gemm(8, 8, 8)).isBeyond()).isTrue();
    // as many FLOPs as measured, but on far more bytes for each
    assertThat(matcher.match(gemm(1, 16384, 16384)).isBeyond()).isTrue();
  }

  @Test
  void aProductOfUnknownTypeFitsButNotExactly() {
    MeasuredOperator untyped =
        Profiled.compute(
            Kind.GEMM,
            "aten::mm",
            OperatorShape.of(new MatrixShape(1, 64, 64, 64)),
            "",
            Profiled.runs(5_000));
    Match match = matcher(untyped).match(gemm(64, 64, 64));
    assertThat(match.level()).isEqualTo(Level.SCALED);
    assertThat(match.ns()).isEqualTo(5_000);
  }

  @Test
  void aRunFarFromEqualOnesIsLeftOut() {
    Statistics durations = Statistics.of(new double[] {100, 101, 99, 100, 5_000});
    assertThat(durations.mean()).isEqualTo(100);
    assertThat(durations.leftOut()).isEqualTo(1);
  }

  @Test
  void threeSizesOfACollectiveMakeALine() {
    // 5 us and 100 bytes a nanosecond
    TransferMatcher matcher =
        transfers(
            Profiled.of(
                0,
                Profiled.collective(Kind.ALL_GATHER, 100_000, 8, 6_000),
                Profiled.collective(Kind.ALL_GATHER, 500_000, 8, 10_000),
                Profiled.collective(Kind.ALL_GATHER, 1_000_000, 8, 15_000)));
    Match match = matcher.match(collective(Kind.ALL_GATHER, 2_000_000, 8));
    assertThat(match.level()).isEqualTo(Level.SCALED);
    assertThat(match.ns()).isCloseTo(25_000, within(1.0));
    assertThat(matcher.match(collective(Kind.ALL_GATHER, 10, 8)).ns()).isEqualTo(6_000);
  }

  @Test
  void anotherGroupSizeGoesByTheBandwidthOfALink() {
    // 7/8 of twice 8 MB in 140 us: 100 bytes a nanosecond; over 4 ranks 3/4 of twice 8 MB
    TransferMatcher matcher =
        transfers(Profiled.of(0, Profiled.collective(Kind.ALL_REDUCE, 8_000_000, 8, 140_000)));
    Match match = matcher.match(collective(Kind.ALL_REDUCE, 16_000_000, 4));
    assertThat(match.level()).isEqualTo(Level.CLASS);
    assertThat(match.ns()).isCloseTo(240_000, within(1.0));
    assertThat(matcher.match(collective(Kind.ALL_GATHER, 8_000_000, 8)).isKnown()).isFalse();
  }

  @Test
  void oneRankGivesTheShortestRunAndSaysSo() {
    List<Transfers.Measured> measured =
        Transfers.of(
            ProfileSet.of(
                List.of(
                    Profiled.of(
                        0,
                        Profiled.collective(Kind.ALL_REDUCE, 1_000, 2, 90_000, 11_000, 50_000)))));
    assertThat(measured)
        .containsExactly(
            new Transfers.Measured(
                new Transfers.Key(Kind.ALL_REDUCE, 2, 0, 1_000), 11_000, 3, true, Map.of()));
  }

  @Test
  void aPatternStandsForPartsOfNames() {
    assertThat(new NamePattern("layers.*.mlp").covers("layers.17.mlp.up")).isTrue();
    assertThat(new NamePattern("layers.*.mlp").covers("layers.17.mlp_norm")).isFalse();
    assertThat(new NamePattern("layers.*.mlp").matches("layers.17.mlp.up")).isFalse();
    assertThat(new NamePattern("layers.1*.mlp.up").matches("layers.17.mlp.up")).isTrue();
    assertThat(new NamePattern("**.adam").matches("layers.17.adam")).isTrue();
    assertThat(new NamePattern("**").covers("head")).isTrue();
  }

  @Test
  void aDeviceIsFittedToWhatItDid() {
    // 2 x 4096^3 in 200 us; 64 Mi elements of 2 bytes read, half as much written, in 80 us
    String yaml =
        HardwareFit.of(
            List.of(
                Profiled.of(
                    0,
                    Profiled.gemm(4096, 4096, 4096, 200_000),
                    Profiled.elementwise("aten::add", 64L << 20, 80_000))));
    assertThat(yaml)
        .contains("peak_tflops: {bf16: 687.2}")
        .contains("memory_gb_per_s: 2517")
        .contains("# memory_gb: the profiles do not tell");
  }

  @Test
  void whatPicksElementsIsNoMeasureForOtherWork() {
    KernelMatcher matcher =
        matcher(
            Profiled.elementwise("aten::gather", 1_000_000, 10),
            Profiled.elementwise("aten::gelu", 800_000, 8_000));
    ProfileWork.Size size = ProfileWork.Size.ofComputation(MatrixShape.NONE, "bf16", 2, 1_000_000);
    ProfileWork gelu =
        new ProfileWork("x", Kind.ELEMENTWISE, "gelu", false, size, ProfileWork.Cost.NONE, 1);
    assertThat(matcher.match(gelu).ns()).isCloseTo(10_000, within(1e-6));
    ProfileWork picks =
        new ProfileWork(
            "x", Kind.ELEMENTWISE, "target_logit", false, size, ProfileWork.Cost.NONE, 1);
    assertThat(matcher.match(picks).isKnown()).isFalse();
  }

  @Test
  void aNetworkIsFittedToItsCollectives() {
    // 2 x 3 steps of 1 us, 3/4 of twice the bytes at 100 bytes a nanosecond; over 16 ranks 15 steps
    // of 2 us, 15/16 of the bytes at 10
    String yaml =
        HardwareFit.of(
            List.of(
                Profiled.of(
                    0,
                    Profiled.gemm(4096, 4096, 4096, 200_000),
                    Profiled.elementwise("aten::add", 64L << 20, 80_000),
                    Profiled.collective(Kind.ALL_REDUCE, 1_000_000, 4, 21_000),
                    Profiled.collective(Kind.ALL_REDUCE, 8_000_000, 4, 126_000),
                    Profiled.collective(Kind.REDUCE_SCATTER, 1_600_000, 16, 180_000),
                    Profiled.collective(Kind.REDUCE_SCATTER, 3_200_000, 16, 330_000))));
    assertThat(yaml)
        .contains("# all_reduce over 4: 6.0 us + bytes / 66.7 GB/s; a link carries 100.0 GB/s")
        .endsWith(
            """
            network:
              - {topology: switch, size: 4, gb_per_s: 100.0, latency_ns: 1000}
              - {topology: switch, gb_per_s: 10.00, latency_ns: 2000}
            """);
  }

  private static KernelMatcher matcher(MeasuredOperator... operators) {
    return new KernelMatcher(
        Samples.of(List.of(Profiled.of(0, operators)), 2), OperatorRules.standard(), "");
  }

  private static TransferMatcher transfers(Profile... profiles) {
    return new TransferMatcher(Transfers.of(ProfileSet.of(List.of(profiles))));
  }

  static ProfileWork gemm(long m, long n, long k) {
    ProfileWork.Size size =
        ProfileWork.Size.ofComputation(new MatrixShape(1, m, n, k), "bf16", 2, 0);
    return new ProfileWork("x", Kind.GEMM, "einsum", false, size, ProfileWork.Cost.NONE, 1);
  }

  private static ProfileWork collective(Kind kind, long bytes, int members) {
    ProfileWork.Size size = ProfileWork.Size.ofTransfer("bf16", 2, bytes / 2, members, members);
    return new ProfileWork("x", kind, "", false, size, ProfileWork.Cost.NONE, 1);
  }

  private static long duration(List<Node> nodes, String name) {
    OptionalLong ns =
        nodes.stream()
            .filter(node -> node.name().equals(name))
            .findFirst()
            .orElseThrow()
            .details()
            .durationNs();
    return ns.orElseThrow();
  }
}
