package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** Strategies in any combination: what each of them must hold, drawn from seeds. */
class StrategyTest {
  static IntStream some() {
    return IntStream.range(0, 200);
  }

  static IntStream many() {
    return IntStream.range(200, 2200);
  }

  @ParameterizedTest
  @MethodSource("some")
  void everyCombinationComputesSendsAndEndsAsItShould(int seed) {
    check(Strategy.draw(seed));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("many")
  void manyMoreCombinationsDoSoToo(int seed) {
    check(Strategy.draw(seed));
  }

  private static void check(Strategy strategy) {
    Synthesis job = Jobs.job(strategy.yaml());
    Analysis analysis = job.analysis();
    assertThat(analysis.totalFlops())
        .as("FLOPs of %s", strategy)
        .isEqualTo(ClosedForms.flops(strategy));
    assertThat(analysis.parameters()).as("parameters").isEqualTo(ClosedForms.parameters(strategy));
    List<Analysis.OfClass> classes = analysis.classes();
    for (Analysis.OfClass of : classes) {
      assertThat(traffic(of))
          .as("stage %d of %s", of.stage(), strategy)
          .isEqualTo(ClosedForms.traffic(strategy, of.stage()));
    }
    Workload workload = job.workload();
    workload.verify();
    for (RankClass each : workload.classes()) {
      each.graph().verify();
    }
    if (workload.mesh().devices() <= 64) {
      TimedCluster cluster = new TimedCluster(workload, 1);
      cluster.run();
      assertThat(cluster.standing()).as("%s", strategy).isEmpty();
    }
  }

  private static Map<String, Long> traffic(Analysis.OfClass of) {
    Map<String, Long> traffic = new TreeMap<>();
    of.traffic()
        .forEach(
            t ->
                traffic.merge(
                    t.kind() + " " + t.axis() + " " + t.type().text(), t.elements(), Long::sum));
    return traffic;
  }
}
