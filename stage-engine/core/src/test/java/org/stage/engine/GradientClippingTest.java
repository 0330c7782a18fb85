package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankClass;

class GradientClippingTest {
  private static final String JOB =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, ffn: 160, vocab: 1024, tied: true},"
          + " mesh: {dp: 2, tp: 2, pp: 2}, training: {global_batch: 8, seq: 32, grad_clip: true,"
          + " zero: %d}}";
  private static final long LAYER = 4 * 64 * 64 / 2 + 3 * 64 * 160 / 2 + 2 * 64;

  private static List<ExecutionGraph> graphs(int zero) {
    return Jobs.job(JOB.formatted(zero)).workload().classes().stream()
        .map(RankClass::graph)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3"})
  void oneScalarIsReducedOverAllRanks(int zero) {
    for (Analysis.OfClass rank : Jobs.job(JOB.formatted(zero)).analysis().classes()) {
      List<Analysis.Traffic> all = rank.traffic().stream().filter(t -> t.groupSize() == 8).toList();
      assertThat(all)
          .containsExactly(
              new Analysis.Traffic("all-reduce", "tp+dp+pp", 8, DataType.FP32, 1, 1, 4));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 2", "3, 2"})
  void eachModuleSquaresAndSumsWhatTheRankUpdates(int zero, int shards) {
    List<Node.Compute> parts =
        graphs(zero).get(1).nodes().stream()
            .filter(node -> node.name().startsWith("layers.3.grad_norm"))
            .map(Node.Compute.class::cast)
            .toList();
    assertThat(parts).hasSize(1);
    assertThat(parts.get(0).otherFlops()).isEqualTo(2 * LAYER / shards);
    assertThat(parts.get(0).bytesRead()).isEqualTo(4 * LAYER / shards);
    assertThat(parts.get(0).phase()).isEqualTo(Phase.OPTIMIZER);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3"})
  void theNormComesAfterAllGradientsAndBeforeAllUpdates(int zero) {
    for (ExecutionGraph graph : graphs(zero)) {
      int norm =
          graph.nodes().stream()
              .filter(node -> node.name().equals("grad_norm.all-reduce"))
              .findFirst()
              .orElseThrow()
              .id();
      assertThat(updates(graph)).hasSize(3).allMatch(update -> depends(update, norm));
      // Gradients are written by the backward phase alone.
      assertThat(graph.nodes())
          .filteredOn(node -> node.phase() == Phase.BACKWARD)
          .allMatch(node -> node.id() < norm);
      assertThat(graph.nodes())
          .filteredOn(node -> node.name().equals("tied.all-reduce"))
          .hasSize(1);
    }
  }

  private static boolean depends(Node update, int on) {
    return update.dataDeps().stream().anyMatch(dep -> dep == on);
  }

  private static Stream<Node> updates(ExecutionGraph graph) {
    return graph.nodes().stream().filter(node -> node.name().endsWith(".adam"));
  }

  @Test
  void withoutClippingThereIsNoNorm() {
    assertThat(
            Jobs.job(JOB.formatted(1), "training.grad_clip=false")
                .workload()
                .classes()
                .get(0)
                .graph()
                .nodes())
        .noneMatch(node -> node.name().contains("grad_norm"));
  }

  @Test
  void itsDurationsCanBeSetByHand() {
    String job =
        JOB.formatted(0).replaceFirst("}$", "")
            + ", inject: {'*.*.grad_norm': {duration_us: 3}, grad_norm.sum: {duration_us: 1},"
            + " grad_norm.all-reduce: {duration_us: 7}}}";
    List<String> known =
        Jobs.job(job).workload().classes().get(1).graph().nodes().stream()
            .filter(node -> node.details().durationNs().isPresent())
            .map(node -> node.name() + " " + node.details().durationNs().getAsLong())
            .toList();
    assertThat(known)
        .containsExactly(
            "layers.2.grad_norm 3000",
            "layers.3.grad_norm 3000",
            "grad_norm.sum 1000",
            "grad_norm.all-reduce 7000");
  }

  @Test
  void oneDeviceReducesNothing() {
    Analysis.OfClass rank = Jobs.job(JOB.formatted(0), "mesh={dp: 1}").analysis().classes().get(0);
    assertThat(rank.traffic()).isEmpty();
  }
}
