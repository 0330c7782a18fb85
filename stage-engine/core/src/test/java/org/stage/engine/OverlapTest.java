package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.Position;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** When gradients are reduced, parameters gathered and gradients of weights computed. */
class OverlapTest {
  /** Four stages of two layers; two replicas, whose network is slow. */
  private static final String PIPELINE =
      """
      {model: {family: llama, layers: 8, hidden: 4096, heads: 32, kv_heads: 8, ffn: 14336,
               vocab: 32000},
       mesh: {dp: 2, pp: 4}, training: {global_batch: 8, seq: 2048}, hardware: h100,
       network: [{topology: switch, size: 2, gb_per_s: 10},
                 {topology: switch, size: 4, gb_per_s: 50}]}
      """;

  private static final String TENSOR =
      """
      {model: {preset: llama-3.1-70b, layers: 16}, mesh: {tp: 8},
       training: {global_batch: 2, seq: 8192}, hardware: h100,
       network: [{topology: switch, size: 8, gb_per_s: 450, latency_ns: 500}]}
      """;

  private static final String SMALL =
      """
      {model: {family: llama, layers: 4, hidden: 64, heads: 8, ffn: 128, vocab: 128},
       mesh: {%s}, training: {global_batch: 8, seq: 32, %s}}
      """;

  private static Workload workload(String yaml, String... overrides) {
    return Jobs.job(yaml, overrides).workload();
  }

  /**
   * The largest stage reduces two layers and a table, 567 million gradients of 4 bytes, at 10 GB/s
   * in 2 (n-1)/n: 227 ms; passes and updates take 60.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPipelineDoesNotWaitForTheReductionsOfItsStages(boolean overlaps) {
    Workload job = workload(PIPELINE, "training.overlap_gradients=" + overlaps);
    double lanes = StepTimes.lanes(job);
    assertThat(StepTimes.oneSlot(job)).isEqualTo(lanes);
    assertThat(lanes).isBetween(284.0, 287.0);
  }

  @ParameterizedTest
  @CsvSource({
    "true, inline, 325.2",
    "true, overlap, 309.5",
    "false, inline, 349.6",
    "false, overlap, 325.4"
  })
  void gradientsOfWeightsAreComputedWhileThoseOfInputsAreReduced(
      boolean sequenceParallel, String order, double milliseconds) {
    Workload job =
        workload(
            TENSOR,
            "training.sequence_parallel=" + sequenceParallel,
            "training.weight_gradients=" + order);
    assertThat(StepTimes.lanes(job)).isCloseTo(milliseconds, within(milliseconds / 1000));
  }

  /** Never into the next layer: each stands before the gradient of its module's norm. */
  @Test
  void gradientsOfWeightsStandBehindTheReductionOfTheSameProductsInputs() {
    List<String> names = names(SMALL.formatted("tp: 2", "sequence_parallel: true"), 0);
    String layer = "mb7.layers.2.";
    int reduced = names.indexOf(layer + "mlp_norm.y.grad.reduce-scatter");
    assertThat(names.subList(reduced, reduced + 4))
        .containsExactly(
            layer + "mlp_norm.y.grad.reduce-scatter",
            layer + "mlp.up.wgrad",
            layer + "mlp.gate.wgrad",
            layer + "mlp_norm.norm.grad");
    assertThat(names.indexOf(layer + "mlp.down.wgrad"))
        .isEqualTo(names.indexOf(layer + "mlp.down.dgrad") + 1);
  }

  private static List<String> names(String yaml, int stage) {
    return workload(yaml).classes().get(stage).graph().nodes().stream().map(Node::name).toList();
  }

  static Stream<String> jobs() {
    return SeededJobs.some(60);
  }

  /** An engine with one slot never holds up a pass for the gradients of a step. */
  @ParameterizedTest
  @MethodSource("jobs")
  void gradientsOfAStepAreReducedBehindAllThatPassesCommunicate(String yaml) {
    for (RankClass each : workload(yaml).classes()) {
      List<Position> order =
          each.graph().commOrder().stream().map(node -> node.header().position()).toList();
      int reduction = order.size();
      int pass = -1;
      for (int i = 0; i < order.size(); i++) {
        boolean ofState =
            order.get(i).role() == Position.Role.GRADIENT_REDUCTION
                || order.get(i).role() == Position.Role.PARAMETER_GATHER
                || order.get(i).role() == Position.Role.GRADIENT_NORM;
        boolean once = order.get(i).microBatch().isEmpty();
        pass = ofState ? pass : i;
        if (order.get(i).role() == Position.Role.GRADIENT_REDUCTION && once) {
          reduction = Math.min(reduction, i);
        }
      }
      assertThat(pass).isLessThan(reduction);
    }
  }

  private static ExecutionGraph graph(String mesh, String training, int stage) {
    return workload(SMALL.formatted(mesh, training)).classes().get(stage).graph();
  }

  private static String waits(ExecutionGraph graph, String name) {
    Node node =
        graph.nodes().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    return node.controlDeps().stream()
        .mapToObj(id -> graph.nodes().get(id).name())
        .toList()
        .toString();
  }

  @Test
  void withoutOverlapReductionsWaitForTheLastPassAndUpdatesForReductions() {
    ExecutionGraph graph = graph("dp: 2", "overlap_gradients: false", 0);
    assertThat(waits(graph, "layers.3.grad.all-reduce.dp"))
        .isEqualTo("[mb3.embedding.lookup.grad]");
    assertThat(waits(graph, "embedding.adam")).isEqualTo("[mb3.embedding.lookup.grad]");
    assertThat(graph.commOrder()).extracting(Node::name).startsWith("head.grad.all-reduce.dp");
  }

  @Test
  void withOverlapTheFirstStageReducesModuleByModuleAndTheOthersWhenTheyAreDone() {
    String training = "overlap_gradients: true";
    assertThat(waits(graph("dp: 2, pp: 2", training, 0), "layers.1.grad.all-reduce.dp"))
        .isEqualTo("[]");
    assertThat(waits(graph("dp: 2, pp: 2", training, 1), "layers.3.grad.all-reduce.dp"))
        .isEqualTo("[mb3.layers.2.x.grad.sum]");
  }

  @Test
  void withoutOverlapKernelsWaitForTheScatterOfEachMicroBatch() {
    ExecutionGraph graph = graph("dp: 2", "zero: 2, overlap_gradients: false", 0);
    assertThat(waits(graph, "mb1.layers.3.grad.reduce-scatter.dp")).isNotEqualTo("[]");
    assertThat(waits(graph("dp: 2", "zero: 2", 0), "mb1.layers.3.grad.reduce-scatter.dp"))
        .isEqualTo("[]");
  }

  @Test
  void parametersAreGatheredAtTheBeginningOfTheNextStepOrBehindAllUpdates() {
    ExecutionGraph first = graph("dp: 2", "zero: 1, overlap_parameters: true", 0);
    assertThat(first.nodes().get(0).name()).isEqualTo("embedding.parameters.all-gather");
    assertThat(first.nodes().get(1).name()).isEqualTo("layers.0.parameters.all-gather");
    assertThat(first.nodes().get(2).name()).isEqualTo("mb0.embedding.lookup");
    ExecutionGraph behind = graph("dp: 2", "zero: 1, overlap_parameters: false", 0);
    assertThat(behind.nodes().subList(behind.nodes().size() - 7, behind.nodes().size()))
        .extracting(Node::name)
        .startsWith("head.adam", "embedding.parameters.all-gather");
    assertThat(waits(behind, "embedding.parameters.all-gather")).isEqualTo("[head.adam]");
  }
}
