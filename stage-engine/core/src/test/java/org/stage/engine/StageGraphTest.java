package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankClass;
import org.stage.plan.StepPlan;
import org.stage.schedule.Slot;

class StageGraphTest {
  private static final String LLAMA =
      "{model: {family: llama, layers: 2, hidden: 32, heads: 4, ffn: 48, vocab: 256},"
          + " mesh: {%s}, training: {seq: 16, attention: flash, %s}}";

  static Stream<String> jobs() {
    return SeededJobs.some(60);
  }

  private static ExecutionGraph graph(String mesh, String training, int stage) {
    return Jobs.job(LLAMA.formatted(mesh, training)).workload().classes().get(stage).graph();
  }

  private static Node node(ExecutionGraph graph, String name) {
    return graph.nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> names(ExecutionGraph graph, Ids tensors) {
    return tensors.stream().mapToObj(t -> graph.tensors().get(t).name()).toList();
  }

  @Test
  void nodesAreNamedByMicroBatchModuleAndOperator() {
    ExecutionGraph graph = graph("tp: 2", "global_batch: 1, sequence_parallel: true", 0);
    assertThat(graph.nodes())
        .extracting(Node::name)
        .startsWith(
            "mb0.embedding.lookup",
            "mb0.embedding.e.reduce-scatter",
            "mb0.layers.0.attention_norm.norm",
            "mb0.layers.0.attention_norm.y.all-gather",
            "mb0.layers.0.attention.query",
            "mb0.layers.0.attention.key",
            "mb0.layers.0.attention.value",
            "mb0.layers.0.attention.query_rotary",
            "mb0.layers.0.attention.key_rotary",
            "mb0.layers.0.attention.core",
            "mb0.layers.0.attention.output",
            "mb0.layers.0.attention.y.reduce-scatter",
            "mb0.layers.0.attention_residual")
        .contains(
            "mb0.layers.1.mlp.down",
            "mb0.head.logits",
            "mb0.head.sum.all-reduce",
            "mb0.layers.1.mlp_norm.y.all-gather.backward",
            "mb0.layers.0.attention.query.wgrad",
            "mb0.embedding.lookup.grad")
        .endsWith("embedding.adam", "layers.0.adam", "layers.1.adam", "head.adam")
        .doesNotHaveDuplicates();
  }

  @Test
  void gradientsAreVersionedAsMicroBatchesAndReductionsWriteThem() {
    ExecutionGraph graph = graph("dp: 2", "global_batch: 4", 0);
    String up = "layers.0.mlp.up.weight.grad";
    Node first = node(graph, "mb0.layers.0.mlp.up.wgrad");
    Node second = node(graph, "mb1.layers.0.mlp.up.wgrad");
    Node reduction = node(graph, "layers.0.grad.all-reduce.dp");
    Node update = node(graph, "layers.0.adam");
    assertThat(names(graph, first.header().writes())).containsExactly(up + "#1");
    assertThat(names(graph, first.header().reads())).doesNotContain(up + "#1");
    assertThat(names(graph, second.header().reads())).contains(up + "#1");
    assertThat(second.dataDeps().stream()).contains(first.id());
    assertThat(names(graph, second.header().writes())).containsExactly(up + "#2");
    assertThat(names(graph, reduction.header().reads())).contains(up + "#2");
    assertThat(names(graph, reduction.header().writes())).contains(up + "#3");
    assertThat(reduction.dataDeps().stream()).contains(second.id());
    assertThat(names(graph, update.header().reads()))
        .contains(up + "#3", "layers.0.mlp.up.weight", "layers.0.adam.states")
        .doesNotContain(up + "#2");
    assertThat(update.dataDeps().stream()).contains(reduction.id());
  }

  @Test
  void aTiedTableAddsTheGradientsOfBothItsUses() {
    String tied = "{preset: llama-3.2-1b, layers: 1}";
    ExecutionGraph graph =
        Jobs.job("{model: " + tied + ", training: {global_batch: 1, seq: 16}}")
            .workload()
            .classes()
            .get(0)
            .graph();
    Node logits = node(graph, "mb0.head.logits");
    assertThat(names(graph, logits.header().reads())).contains("embedding.weight");
    Node head = node(graph, "mb0.head.logits.wgrad");
    assertThat(names(graph, head.header().writes())).containsExactly("embedding.weight.grad#1");
    Node lookup = node(graph, "mb0.embedding.lookup.grad");
    assertThat(names(graph, lookup.header().reads())).contains("embedding.weight.grad#1");
    assertThat(names(graph, lookup.header().writes())).containsExactly("embedding.weight.grad#2");
    assertThat(lookup.dataDeps().stream()).contains(head.id());
  }

  @Test
  void aReceiveWaitsForTheLastKernelOfTheMicroBatchBefore() {
    ExecutionGraph graph = graph("pp: 2", "global_batch: 3", 1);
    Node first = node(graph, "mb0.recv.forward");
    assertThat(first.dataDeps().size() + first.controlDeps().size()).isZero();
    for (int microBatch = 1; microBatch < 3; microBatch++) {
      Node receive = node(graph, "mb" + microBatch + ".recv.forward");
      Node loss = node(graph, "mb" + (microBatch - 1) + ".head.loss");
      assertThat(receive.dataDeps().size()).isZero();
      assertThat(receive.controlDeps().stream()).containsExactly(loss.id());
    }
    ExecutionGraph before = graph("pp: 2", "global_batch: 3", 0);
    Node gradient = node(before, "mb1.recv.backward");
    Node lookup = node(before, "mb0.embedding.lookup.grad");
    assertThat(gradient.controlDeps().stream()).containsExactly(lookup.id());
  }

  @Test
  void aKernelBehindAGatherOfWhatWasReceivedWaitsForTheTurnBefore() {
    String sharded = "global_batch: 2, sequence_parallel: true, schedule: gpipe";
    ExecutionGraph graph = graph("tp: 2, pp: 2", sharded, 0);
    Node gather = node(graph, "mb0.layers.0.y.grad.all-gather");
    assertThat(gather.controlDeps().size()).isZero();
    Node kernel = node(graph, "mb0.layers.0.mlp.down.dgrad");
    assertThat(kernel.dataDeps().stream()).contains(gather.id());
    Node last = node(graph, "mb1.layers.0.mlp_residual");
    assertThat(kernel.controlDeps().stream()).containsExactly(last.id());
  }

  /** What keeps the device to the schedule, whatever else a kernel waits for. */
  @ParameterizedTest
  @MethodSource("jobs")
  void everyKernelWaitsForTheLastKernelsOfTheTurnBefore(String job) {
    List<StepPlan> stages = Turns.stages(Jobs.spec(job));
    for (RankClass each : Jobs.job(job).workload().classes()) {
      ExecutionGraph graph = each.graph();
      StepPlan plan =
          stages.stream().filter(s -> s.ranks().equals(each.ranks())).findFirst().orElseThrow();
      Turns turns = new Turns(plan);
      BitSet[] before = new BitSet[graph.nodes().size()];
      int turn = 0;
      Map<Slot, Integer> last = new HashMap<>();
      Map<Slot, Integer> lastBefore = Map.of();
      for (Node node : graph.nodes()) {
        before[node.id()] = ancestors(node, before);
        if (!(node instanceof Node.Compute)) {
          continue;
        }
        if (turns.turn(node) != turn) {
          assertThat(turns.turn(node)).as(node.name()).isEqualTo(turn + 1);
          turn++;
          lastBefore = Map.copyOf(last);
          last.clear();
        }
        for (int kernel : lastBefore.values()) {
          assertThat(before[node.id()].get(kernel)).as(node.name()).isTrue();
        }
        last.put(turns.slot(node), node.id());
      }
    }
  }

  @Test
  void passesThatOverlapDoNotWaitForOneAnother() {
    String mesh = "pp: 2, tp: 2";
    String training = "global_batch: 6, sequence_parallel: true, schedule: dualpipe";
    ExecutionGraph graph = graph(mesh, training, 0);
    BitSet[] before = new BitSet[graph.nodes().size()];
    graph.nodes().forEach(node -> before[node.id()] = ancestors(node, before));
    // The turns are F0 F3.1 F1 B3.1 F4.1&B0 and so on.
    Node forward = node(graph, "mb4.layers.1.mlp.up");
    Node backward = node(graph, "mb0.layers.0.attention.query.dgrad");
    assertThat(before[backward.id()].get(forward.id())).isFalse();
    assertThat(before[forward.id()].get(backward.id())).isFalse();
    // They take turns in the order of communication too.
    List<String> passes =
        graph.commOrder().stream()
            .filter(node -> node.phase() == Phase.FORWARD == node.name().startsWith("mb4."))
            .map(node -> node.name().substring(0, 4))
            .filter(name -> name.equals("mb0.") || name.equals("mb4."))
            .toList();
    assertThat(passes.indexOf("mb4.")).isLessThan(passes.lastIndexOf("mb0."));
    assertThat(passes.indexOf("mb0.")).isLessThan(passes.lastIndexOf("mb4."));
    assertThat(String.join("", passes)).contains("mb0.mb4.mb0.").contains("mb4.mb0.mb4.");
  }

  private static BitSet ancestors(Node node, BitSet[] before) {
    BitSet all = new BitSet();
    for (int dep : node.dataDeps().stream().toArray()) {
      all.or(before[dep]);
      all.set(dep);
    }
    for (int dep : node.controlDeps().stream().toArray()) {
      all.or(before[dep]);
      all.set(dep);
    }
    return all;
  }

  @Test
  void bytesAndFlopsOfALinearAreThoseOfItsMatrices() {
    ExecutionGraph graph = graph("tp: 2", "global_batch: 2", 0);
    Node.Compute up = (Node.Compute) node(graph, "mb1.layers.1.mlp.up");
    // 16 tokens, 32 wide, 24 of 48 columns on this rank; two bytes each.
    assertThat(up.shape()).isEqualTo(new MatrixShape(1, 16, 24, 32));
    assertThat(up.flops()).isEqualTo(2 * 16 * 32 * 24);
    assertThat(up.bytesRead()).isEqualTo(2 * (16 * 32 + 32 * 24));
    assertThat(up.bytesWritten()).isEqualTo(2 * 16 * 24);
    Node.Compute gradient = (Node.Compute) node(graph, "mb1.layers.1.mlp.up.wgrad");
    // Accumulated in place, in four bytes: read and written.
    assertThat(gradient.shape()).isEqualTo(new MatrixShape(1, 32, 24, 16));
    assertThat(gradient.bytesRead()).isEqualTo(2 * (16 * 32 + 16 * 24) + 4 * 32 * 24);
    assertThat(gradient.bytesWritten()).isEqualTo(4 * 32 * 24);
  }

  @Test
  void aLookUpTouchesOnlyTheRowsThatItNeeds() {
    ExecutionGraph graph = graph("dp: 1", "global_batch: 1", 0);
    Node.Compute lookup = (Node.Compute) node(graph, "mb0.embedding.lookup");
    assertThat(lookup.bytesRead()).isEqualTo(2 * 16 * 32 + 8 * 16);
    assertThat(lookup.bytesWritten()).isEqualTo(2 * 16 * 32);
    assertThat(lookup.flops() + lookup.otherFlops()).isZero();
  }

  @Test
  void fullRecomputationReadsOfAForwardPassOnlyTheInputOfEachLayer() {
    ExecutionGraph graph = graph("tp: 2", "global_batch: 1, recompute: full", 0);
    int[] writers = new int[graph.tensors().size()];
    for (Node node : graph.nodes()) {
      node.header().writes().stream().forEach(tensor -> writers[tensor] = node.id());
    }
    for (Node node : graph.nodes()) {
      if (!node.name().startsWith("mb0.layers.1.") || node.phase() == Phase.FORWARD) {
        continue;
      }
      assertThat(
              node.header().reads().stream()
                  .mapToObj(tensor -> graph.nodes().get(writers[tensor]))
                  .filter(writer -> writer.phase() == Phase.FORWARD)
                  .map(Node::name))
          .as(node.name())
          .allMatch(writer -> !writer.startsWith("mb0.layers.1."));
    }
    assertThat(graph.nodes())
        .filteredOn(node -> node.phase() == Phase.RECOMPUTE)
        .extracting(Node::name)
        .contains("mb0.layers.1.attention.core.recompute");
  }
}
