package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.engine.Synthesis;
import org.stage.job.Job;

/** Equal work at several places: what it takes at each, and what all of it takes together. */
class PlacesTest {
  private final Job small =
      Profiled.spec(
          "{model: {family: gpt, layers: 2, hidden: 512, heads: 4, ffn: 1024, vocab: 1024},"
              + " training: {global_batch: 2, seq: 256}, hardware: h100}");

  @Test
  void aSmallerSetOfEqualRunsIsNotLeftOut() {
    double[] runs = new double[100];
    IntStream.range(0, 100).forEach(i -> runs[i] = i < 60 ? 100 : i < 90 ? 104 : 220);
    Statistics all = Statistics.of(runs);
    assertThat(all.leftOut()).isZero();
    assertThat(all.total()).isEqualTo(60 * 100 + 30 * 104 + 10 * 220);
    assertThat(all.mean()).isEqualTo(all.total() / 100);
  }

  @Test
  void aRunThatStandsFarFromTheSameRunOfOtherStepsCountsAsThey() {
    // two runs a step, the second at another place; one of a step was disturbed
    long[] ns = {100, 220, 101, 221, 100, 900, 102, 219};
    int[] steps = {1, 1, 2, 2, 3, 3, 4, 4};
    Statistics.Collector collector = new Statistics.Collector();
    Runs runs = Runs.of(new long[8], ns, steps, new long[8]);
    collector.add(runs, new Window(1, 4), IntStream.range(0, 8).toArray());
    Statistics all = collector.statistics().orElseThrow();
    assertThat(all.leftOut()).isEqualTo(1);
    // the median of 219, 220, 221, 900 is 220.5
    assertThat(all.total()).isEqualTo(100 + 101 + 100 + 102 + 220 + 221 + 219 + 220.5);
  }

  @Test
  void whereTheProfileTellsModulesEachTakesItsOwn() {
    Synthesis job =
        Profiled.with(
            small, Profiled.of(0, up("layers.0.mlp.up", 7_000), up("layers.1.mlp.up", 9_000)));
    assertThat(duration(job, "mb1.layers.0.mlp.up")).hasValue(7_000);
    assertThat(duration(job, "mb1.layers.1.mlp.up")).hasValue(9_000);
    // of no place that was measured: all together
    assertThat(duration(job, "mb1.head.logits")).hasValue(8_000);
  }

  @Test
  void aBiasThatWasMeasuredInItsProductTakesNoTimeOfItsOwn() {
    long bytes = 2 * 1024;
    Profile profile =
        Profiled.of(
            0,
            product("", bytes, 10_000),
            Profiled.elementwise("aten::add", 256 * 1024 + 1024, 4_000));
    Synthesis job = Profiled.with(small, profile);
    assertThat(duration(job, "mb0.layers.1.mlp.up")).hasValue(10_000);
    assertThat(duration(job, "mb0.layers.1.mlp.up_bias")).hasValue(0);
    Synthesis without =
        Profiled.with(
            small,
            Profiled.of(
                0, up("", 10_000), Profiled.elementwise("aten::add", 256 * 1024 + 1024, 4_000)));
    assertThat(duration(without, "mb0.layers.1.mlp.up_bias")).hasValue(4_000);
  }

  @Test
  void aProductThatAddsToAGradientIsOtherWorkThanOneThatDoesNot() {
    // the gradient of the weight of mlp.up: 512 x 1024 of 4 bytes
    MatrixShape shape = new MatrixShape(1, 512, 1024, 256);
    Profile profile =
        Profiled.of(0, product("", shape, 0, 5_000), product("", shape, 4 * 512 * 1024, 8_000));
    assertThat(duration(Profiled.with(small, profile), "mb0.layers.1.mlp.up.wgrad"))
        .hasValue(8_000);
  }

  private static MeasuredOperator up(String module, long... ns) {
    return product(module, 0, ns);
  }

  private static MeasuredOperator product(String module, long added, long... ns) {
    return product(module, new MatrixShape(1, 256, 1024, 512), added, ns);
  }

  private static MeasuredOperator product(
      String module, MatrixShape shape, long added, long... ns) {
    return new MeasuredOperator(
        OperatorWork.builder(Kind.GEMM, "aten::addmm")
            .module(module)
            .shape(new OperatorShape(shape, false, 0, 0, added))
            .dataType("bf16")
            .build(),
        Profiled.runs(ns),
        0);
  }

  private static OptionalLong duration(Synthesis job, String name) {
    List<Node> nodes = job.workload().classes().get(0).graph().nodes();
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow()
        .details()
        .durationNs();
  }
}
