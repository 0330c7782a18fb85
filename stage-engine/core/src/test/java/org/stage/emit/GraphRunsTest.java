package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Lane;
import org.stage.api.workload.Node;
import org.stage.api.workload.Position;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;
import org.stage.engine.SeededJobs;
import org.stage.plan.Durations;

/** What nodes say of themselves, on jobs drawn at random: positions, operands, lanes, runs. */
class GraphRunsTest {
  static Stream<String> jobs() {
    return SeededJobs.some(60);
  }

  private static List<ExecutionGraph> graphs(String yaml) {
    return StageEmitter.rankClasses(Toys.plan(yaml), Durations.NONE).stream()
        .map(RankClass::graph)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void theFlatViewOfItsRunsIsTheGraph(String yaml) {
    for (ExecutionGraph graph : graphs(yaml)) {
      assertThat(ExecutionGraph.ofRuns(graph.runs())).isEqualTo(graph);
    }
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void aNameIsItsPosition(String yaml) {
    for (ExecutionGraph graph : graphs(yaml)) {
      for (Node node : graph.nodes()) {
        Position at = node.position();
        OptionalInt batch = at.microBatch();
        String name =
            (batch.isPresent() ? "mb" + batch.getAsInt() + "." : "")
                + (at.unit().isEmpty() ? "" : at.unit() + ".")
                + at.component()
                + (at.role() == Position.Role.RECOMPUTATION ? ".recompute" : "");
        assertThat(node.name()).isEqualTo(name);
        assertThat(at.role()).isNotEqualTo(Position.Role.UNKNOWN);
      }
    }
  }

  /** Bytes that a kernel moves are those of its operands, but for gradients that it adds to. */
  @ParameterizedTest
  @MethodSource("jobs")
  void operandsOfElementwiseKernelsAreWhatTheyRead(String yaml) {
    for (ExecutionGraph graph : graphs(yaml)) {
      for (Node node : graph.nodes()) {
        if (node instanceof Node.Compute kernel) {
          assertThat(kernel.inputs()).isNotEmpty();
          assertThat(kernel.outputs()).isNotEmpty();
        }
        if (node instanceof Node.Compute kernel
            && kernel.operator().equals(OperatorKind.SWIGLU.text())) {
          assertThat(bytes(kernel.inputs())).isEqualTo(kernel.bytesRead());
          assertThat(bytes(kernel.outputs())).isEqualTo(kernel.bytesWritten());
          assertThat(written(graph, kernel)).isEqualTo(kernel.outputs());
        }
      }
    }
  }

  private static long bytes(List<TensorType> types) {
    return types.stream().mapToLong(TensorType::bytes).sum();
  }

  private static List<TensorType> written(ExecutionGraph graph, Node node) {
    return node.header().writes().stream()
        .mapToObj(graph.tensors()::get)
        .map(TensorValue::type)
        .toList();
  }

  private static final String LONG =
      """
      model: {family: llama, layers: 4, hidden: 64, heads: 4, ffn: 96, vocab: 128}
      mesh: {tp: 2, pp: 2}
      training: {global_batch: %d, seq: 32, sequence_parallel: true, schedule: %s}
      """;

  /** What differs between few and many micro-batches is how often a block stands there. */
  @Test
  void blocksAreAsManyHoweverManyMicroBatchesThereAre() {
    for (String schedule : List.of("1f1b", "gpipe", "zero-bubble")) {
      List<ExecutionGraph> few = graphs(LONG.formatted(16, schedule));
      List<ExecutionGraph> many = graphs(LONG.formatted(64, schedule));
      for (int stage = 0; stage < 2; stage++) {
        assertThat(stored(many.get(stage))).isEqualTo(stored(few.get(stage)));
        assertThat(many.get(stage).nodes().size()).isGreaterThan(3 * stored(many.get(stage)));
      }
    }
  }

  private static int stored(ExecutionGraph graph) {
    return graph.runs().stream()
        .mapToInt(
            run ->
                run.first().nodes().size()
                    + run.second().map(second -> second.nodes().size()).orElse(0))
        .sum();
  }

  @Test
  void aRankHasALaneForEachGroupAndPeer() {
    ExecutionGraph first = graphs(LONG.formatted(4, "1f1b")).get(0);
    assertThat(first.lanes().keySet()).extracting(Lane::name).containsExactly("tp:2", "pp:+1");
    assertThat(first.lanes().values().stream().mapToInt(List::size).sum())
        .isEqualTo(first.commOrder().size());
  }

  @Test
  void tensorsHaveTheirDimensionsOnARank() {
    ExecutionGraph first = graphs(LONG.formatted(4, "1f1b")).get(0);
    // Half of the feed-forward width on each of two ranks; half of the tokens between products.
    assertThat(type(first, "layers.0.mlp.up.weight")).hasToString("64x48xbf16");
    assertThat(type(first, "layers.0.mlp.up.weight.grad#1")).hasToString("64x48xfp32");
    assertThat(type(first, "mb0.layers.0.mlp.u")).hasToString("1x32x48xbf16");
    assertThat(type(first, "mb0.layers.0.mlp_norm.y")).hasToString("1x16x64xbf16");
    assertThat(type(first, "embedding.weight")).hasToString("128x64xbf16");
  }

  private static TensorType type(ExecutionGraph graph, String name) {
    return graph.tensors().stream()
        .filter(tensor -> tensor.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name))
        .type();
  }
}
