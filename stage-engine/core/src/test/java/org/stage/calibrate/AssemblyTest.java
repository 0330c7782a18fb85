package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.engine.Synthesis;
import org.stage.job.Job;

/** Eager profiles: several kernels for what is one node of the job. */
class AssemblyTest {
  private static final long TOKENS = 256;
  private static final long HIDDEN = 512;
  private static final long FFN = 1024;

  private static final String LLAMA =
      "{model: {family: llama, layers: %d, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
          + " training: {global_batch: 1, seq: 256}, hardware: h100}";

  private final Job job = Profiled.spec(LLAMA.formatted(3));

  /** A model of two layers whose modules the profile does not tell. */
  private static Eager twoLayers() {
    Eager eager = new Eager();
    for (int layer = 0; layer < 2; layer++) {
      norm(eager);
      eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000).gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
      eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
      rotary(eager);
      attention(eager);
      feedForward(eager);
    }
    return eager;
  }

  /** 10 us. */
  private static void norm(Eager eager) {
    eager.element("aten::pow", TOKENS * HIDDEN, 3_000).element("aten::mean", TOKENS, 2_000);
    eager.element("aten::rsqrt", TOKENS, 1_000).element("aten::mul", 2 * TOKENS * HIDDEN, 4_000);
  }

  /** 12 us, and copies of 3 us. */
  private static void rotary(Eager eager) {
    for (int each = 0; each < 2; each++) {
      eager.element("aten::mul", TOKENS * HIDDEN, 2_000).element("aten::neg", TOKENS, 1_000);
      eager.element("aten::add", 2 * TOKENS * HIDDEN, 3_000);
    }
    eager.element("aten::copy_", TOKENS * HIDDEN, 3_000);
  }

  private static void attention(Eager eager) {
    eager.attention(4, TOKENS, HIDDEN / 4, 40_000).element("aten::copy_", 2 * HIDDEN, 2_000);
    eager.gemm(TOKENS, HIDDEN, HIDDEN, 21_000);
  }

  private static void feedForward(Eager eager) {
    eager.element("aten::add", 2 * TOKENS * HIDDEN, 5_000);
    norm(eager);
    eager.gemm(TOKENS, FFN, HIDDEN, 30_000).element("aten::silu", TOKENS * FFN, 3_000);
    eager.gemm(TOKENS, FFN, HIDDEN, 30_000).element("aten::mul", 2 * TOKENS * FFN, 4_000);
    eager.gemm(TOKENS, HIDDEN, FFN, 32_000).element("aten::add", 2 * TOKENS * HIDDEN, 5_000);
  }

  @Test
  void theKernelsOfAnEagerNormTogetherAreTheNormOfEveryLayer() {
    Synthesis synthesis = Profiled.with(job, twoLayers().profile());
    assertThat(duration(synthesis, "mb0.layers.0.attention_norm.norm")).hasValue(10_000);
    assertThat(duration(synthesis, "mb0.layers.2.mlp_norm.norm")).hasValue(10_000);
    assertThat(duration(synthesis, "mb0.head.norm.norm")).hasValue(10_000);
  }

  @Test
  void theActivationOfTheGateBelongsToTheGatedUnitThoughTheUpProjectionComesBetween() {
    Synthesis synthesis = Profiled.with(job, twoLayers().profile());
    assertThat(duration(synthesis, "mb0.layers.1.mlp.activation")).hasValue(7_000);
    assertThat(duration(synthesis, "mb0.layers.1.mlp.gate")).hasValue(30_000);
  }

  @Test
  void rotationsOfQueriesAndKeysShareWhatRanBeforeAttention() {
    Synthesis synthesis = Profiled.with(job, twoLayers().profile());
    assertThat(duration(synthesis, "mb0.layers.1.attention.query_rotary")).hasValue(7_500);
    assertThat(duration(synthesis, "mb0.layers.1.attention.key_rotary")).hasValue(7_500);
  }

  @Test
  void aSumOfTheSizeOfTheResidualIsTheResidualAndNotTheRotation() {
    Synthesis synthesis = Profiled.with(job, twoLayers().profile());
    assertThat(duration(synthesis, "mb0.layers.1.attention_residual")).hasValue(5_000);
    assertThat(duration(synthesis, "mb0.layers.1.mlp_residual")).hasValue(5_000);
  }

  @Test
  void aCopyOfTheResultOfAttentionIsPartOfAttention() {
    Synthesis synthesis = Profiled.with(job, twoLayers().profile());
    assertThat(duration(synthesis, "mb0.layers.1.attention.core")).hasValue(42_000);
  }

  @Test
  void theForwardPassTakesWhatItTookAndTheReportSaysWhatOfTheProfileWasUsed() {
    Eager eager = twoLayers();
    CalibrationReport report = Profiled.with(job, eager.profile()).calibration().orElseThrow();
    // without a head: 60 + 21 + 60 + 32 of products, 40 of attention; 10 + 15 + 2 + 5 + 10 + 7 + 5
    assertThat(eager.ns()).isEqualTo(2 * (173_000 + 40_000 + 54_000));
    CalibrationReport.Use use = report.use();
    assertThat(use.measured()).isEqualTo(534_000);
    assertThat(use.matched()).isCloseTo(534_000, within(1e-6));
    assertThat(use.share()).isZero();
    assertThat(use.unused()).isZero();
    assertThat(report.residuals()).isEmpty();
  }

  @Test
  void aModuleTellsTheNormWhereNothingElseDoes() {
    Eager eager = new Eager();
    for (int layer = 0; layer < 2; layer++) {
      attention(eager);
      eager.in("Model_0.Block_" + layer).element("aten::add_rounded", 7, 5_000);
      eager.in("Model_0.Block_" + layer + ".MyNorm_" + layer).element("magic_a", 7, 8_000);
      eager.element("magic_b", 7, 1_000).in("");
      eager.gemm(TOKENS, FFN, HIDDEN, 30_000).gemm(TOKENS, FFN, HIDDEN, 30_000);
    }
    Synthesis synthesis = Profiled.with(job, eager.profile());
    assertThat(duration(synthesis, "mb0.layers.1.mlp_norm.norm")).hasValue(9_000);
    assertThat(duration(synthesis, "mb0.layers.1.attention_residual")).hasValue(5_000);
    assertThat(synthesis.calibration().orElseThrow().use().module()).isEqualTo(18_000);
  }

  @Test
  void oneProductForQueriesKeysAndValuesIsDividedByTheirWidths() {
    Job grouped =
        Profiled.spec(
            LLAMA
                .formatted(2)
                .replace("heads: 4", "heads: 4, kv_heads: 2")
                .replace("ffn: 1024", "ffn: 1536"));
    Eager eager = new Eager();
    for (int layer = 0; layer < 2; layer++) {
      eager.gemm(TOKENS, 2 * HIDDEN, HIDDEN, 40_000);
      rotary(eager);
      attention(eager);
      eager.gemm(TOKENS, 3 * FFN, HIDDEN, 60_000).element("silu_and_mul", 7, 6_000);
      eager.gemm(TOKENS, HIDDEN, 3 * FFN / 2, 32_000);
    }
    Synthesis synthesis = Profiled.with(grouped, eager.profile());
    assertThat(duration(synthesis, "mb0.layers.1.attention.query")).hasValue(20_000);
    assertThat(duration(synthesis, "mb0.layers.1.attention.key")).hasValue(10_000);
    assertThat(duration(synthesis, "mb0.layers.1.attention.value")).hasValue(10_000);
    assertThat(duration(synthesis, "mb0.layers.1.mlp.up")).hasValue(30_000);
    assertThat(duration(synthesis, "mb0.layers.1.mlp.activation")).hasValue(6_000);
  }

  @Test
  void attentionAsSingleProductsIsAttention() {
    Eager eager = new Eager();
    for (int layer = 0; layer < 2; layer++) {
      eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000).gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
      eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
      rotary(eager);
      eager.gemm(4, TOKENS, TOKENS, HIDDEN / 4, 11_000).element("aten::_softmax", 9, 8_000);
      eager.gemm(4, TOKENS, HIDDEN / 4, TOKENS, 12_000).gemm(TOKENS, HIDDEN, HIDDEN, 21_000);
    }
    Synthesis synthesis = Profiled.with(job, eager.profile());
    assertThat(duration(synthesis, "mb0.layers.1.attention.core")).hasValue(31_000);
  }

  @Test
  void aProfileOfAnotherModelOrWithoutShapesPutsNothingTogether() {
    Eager other = new Eager();
    for (int layer = 0; layer < 4; layer++) {
      other.gemm(TOKENS, 777, 333, 20_000).element("aten::relu", TOKENS * 777, 9_000);
    }
    Eager shapeless = new Eager();
    for (int layer = 0; layer < 4; layer++) {
      shapeless.run(Kind.GEMM, "gemm_kernel", 20_000).run(Kind.ELEMENTWISE, "silu", 9_000);
    }
    for (Profile profile : List.of(other.profile(), shapeless.profile())) {
      CalibrationReport report = Profiled.with(job, profile).calibration().orElseThrow();
      assertThat(report.use().module() + report.use().place() + report.use().share()).isZero();
      assertThat(report.lines()).noneMatch(line -> line.level() == Level.COMPOSED);
    }
  }

  @Test
  void whatRanWhereProductsAreMissingIsAShareAndPrintedApart() {
    Eager eager = twoLayers();
    eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000).gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
    eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000);
    rotary(eager);
    // attention is not in the profile
    eager.gemm(TOKENS, HIDDEN, HIDDEN, 20_000).gemm(TOKENS, FFN, HIDDEN, 30_000);
    CalibrationReport report = Profiled.with(job, eager.profile()).calibration().orElseThrow();
    assertThat(report.use().share()).isEqualTo(15_000);
  }

  @Test
  void aCompiledKernelAcrossModulesIsTheNormWithTheSumThatIsInIt() {
    Eager eager = new Eager();
    for (int layer = 0; layer < 2; layer++) {
      attention(eager);
      eager.run(Kind.NORM, "triton_red_fused_add_mean_mul_pow_rsqrt_0", 6_000);
      eager.gemm(TOKENS, FFN, HIDDEN, 30_000).gemm(TOKENS, FFN, HIDDEN, 30_000);
      eager.element("triton_poi_fused_mul_silu_1", 2 * TOKENS * FFN, 4_000);
      eager.gemm(TOKENS, HIDDEN, FFN, 32_000);
    }
    Synthesis synthesis = Profiled.with(job, eager.profile());
    assertThat(duration(synthesis, "mb0.layers.1.mlp_norm.norm")).hasValue(6_000);
    assertThat(duration(synthesis, "mb0.layers.1.attention_residual")).hasValue(0);
    assertThat(duration(synthesis, "mb0.layers.1.mlp.activation")).hasValue(4_000);
  }

  private static OptionalLong duration(Synthesis job, String name) {
    return job.workload().classes().get(0).graph().nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow()
        .details()
        .durationNs();
  }

  @Test
  void theBackwardPassIsPutTogetherByItsOwnOrder() {
    Eager eager = new Eager().backward();
    for (int layer = 0; layer < 2; layer++) {
      eager.gemm(TOKENS, FFN, HIDDEN, 30_000).gemm(FFN, HIDDEN, TOKENS, 31_000);
      eager.element("aten::mul", 7, 4_000).element("aten::silu_backward", 8, 5_000);
      eager.gemm(TOKENS, HIDDEN, FFN, 32_000).gemm(HIDDEN, FFN, TOKENS, 33_000);
      eager.gemm(TOKENS, HIDDEN, FFN, 32_000).gemm(HIDDEN, FFN, TOKENS, 33_000);
    }
    Synthesis synthesis = Profiled.with(job, eager.profile());
    assertThat(duration(synthesis, "mb0.layers.1.mlp.activation.grad")).hasValue(9_000);
  }

  @Test
  void theRankOfAProfileDoesNotMatter() {
    Profile first = twoLayers().profile();
    Profile other = twoLayers().profile();
    Profile second =
        new Profile(
            "rank1.json",
            first.device(),
            OptionalInt.of(1),
            first.span(),
            first.steps(),
            other.operators(),
            first.coverage());
    CalibrationReport.Use use = Profiled.with(job, first, second).calibration().orElseThrow().use();
    assertThat(use.measured()).isEqualTo(534_000);
    assertThat(use.matched()).isCloseTo(534_000, within(1e-6));
  }
}
