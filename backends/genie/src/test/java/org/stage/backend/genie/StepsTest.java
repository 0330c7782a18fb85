package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.ExecutionGraph;
import org.stage.sim.cost.KernelTimes;
import org.stage.sim.cost.Roofline;
import org.stage.testkit.text.ExecutionTextParser;

final class StepsTest {
  private static final Device DEVICE =
      new Device(new KernelTimes(Optional.of(new Roofline(0.01, 0.01, 1)), 1), 1);

  @Test
  void computeNodesInARowAreOneStep() {
    assertThat(
            steps(
                "0 compute a forward add other=10000 read=1 written=1",
                "1 compute b forward add other=20000 read=1 written=1 deps=0",
                "2 compute c forward add other=1 read=4000 written=1000"))
        .containsExactly("a (+2) []");
    Step step =
        Steps.of(
                graph("0 compute a forward add other=7", "1 compute b forward add other=3"),
                DEVICE,
                true)
            .get(0);
    assertThat(step.operations()).isEqualTo(10);
    assertThat(step.bytes()).isEqualTo(1);
  }

  @Test
  void durationsOfAStepAreAddedKernelByKernel() {
    Step step =
        Steps.of(
                graph(
                    "0 compute a forward add other=10000 read=500",
                    "1 compute b forward add other=1 read=3000 written=1000"),
                DEVICE,
                true)
            .get(0);

    // 1 us by FLOPs, then 4 us by bytes
    assertThat(step.nanoseconds()).isEqualTo(5000);
  }

  @Test
  void aTransferBetweenThemKeepsThemApart() {
    assertThat(
            steps(
                "0 compute a forward add other=1",
                "1 all-reduce r forward 4xbf16 over tp:2 deps=0",
                "2 compute b forward add other=1 deps=0"))
        .containsExactly("a []", "r [0]", "b [0]");
  }

  @Test
  void aNodeThatATransferWaitsForEndsItsStep() {
    assertThat(
            steps(
                "0 compute a forward add other=1",
                "1 compute b forward add other=1",
                "2 compute c forward add other=1",
                "3 send s forward 4xbf16 to tp:+1 deps=1"))
        .containsExactly("a (+1) []", "c []", "s [0]");
  }

  @Test
  void aNodeThatWaitsForAnotherTransferBeginsAStep() {
    assertThat(
            steps(
                "0 all-gather g forward 4xbf16 over tp:2",
                "1 recv r forward 4xbf16 from tp:+1",
                "2 compute a forward add other=1 deps=0",
                "3 compute b forward add other=1 deps=0,2",
                "4 compute c forward add other=1 deps=1"))
        .containsExactly("g []", "r []", "a (+1) [0]", "c [1]");
  }

  @Test
  void controlDependenciesCountToo() {
    assertThat(
            steps(
                "0 all-gather g forward 4xbf16 over tp:2",
                "1 compute a forward add other=1",
                "2 compute b forward add other=1 ctrl=0"))
        .containsExactly("g []", "a []", "b [0]");
  }

  @Test
  void withoutMergingEachNodeIsAStep() {
    assertThat(
            Steps.of(
                graph("0 compute a forward add other=1", "1 compute b forward add other=1 deps=0"),
                DEVICE,
                false))
        .hasSize(2);
  }

  private static List<String> steps(String... nodes) {
    return Steps.of(graph(nodes), DEVICE, true).stream()
        .map(step -> step.name() + " " + step.deps())
        .toList();
  }

  private static ExecutionGraph graph(String... nodes) {
    assertThat(IntStream.range(0, nodes.length)).allMatch(i -> nodes[i].startsWith(i + " "));
    return ExecutionTextParser.parse(String.join("\n", nodes));
  }
}
