package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.emit.Toys.graphs;
import static org.stage.emit.Toys.llama;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node;
import org.stage.plan.Durations;

/**
 * The end of a step, and what modules and stages share. Tables have 128 rows, as vocabularies are
 * padded, of 8 elements.
 */
class StageEmitterTest {
  private static final long TABLE = 128 * 8;

  private static Shown one(String model, String mesh, String training) {
    return graphs(llama(model, mesh, training)).get(0);
  }

  private static Group both() {
    return new Group.Members("pp", List.of(0, 1));
  }

  @Test
  void aStepEndsWithTheUpdatesOfAllModulesInOrder() {
    Shown graph = one("layers: 2", "dp: 1", "global_batch: 1");
    assertThat(graph.names())
        .endsWith(
            "mb0.embedding.lookup.grad",
            "embedding.adam",
            "layers.0.adam",
            "layers.1.adam",
            "head.adam");
    assertThat(graph.waits("embedding.adam"))
        .isEqualTo("data of mb0.embedding.lookup.grad, behind mb0.embedding.lookup.grad");
  }

  @Test
  void eachModuleAddsToTheNormForWhichUpdatesWait() {
    Shown graph = one("layers: 1", "dp: 1", "global_batch: 1, grad_clip: true");
    assertThat(graph.names())
        .endsWith(
            "embedding.grad_norm",
            "layers.0.grad_norm",
            "head.grad_norm",
            "grad_norm.sum",
            "embedding.adam",
            "layers.0.adam",
            "head.adam");
    assertThat(graph.tensors("head.grad_norm"))
        .isEqualTo("head.weight.grad#1:4096 head.norm.weight.grad#1:32 -> head.grad_norm:4");
    assertThat(graph.waits("head.grad_norm"))
        .isEqualTo(
            "data of mb0.head.logits.wgrad mb0.head.norm.norm.grad,"
                + " behind mb0.embedding.lookup.grad");
    assertThat(graph.tensors("grad_norm.sum"))
        .isEqualTo(
            "embedding.grad_norm:4 layers.0.grad_norm:4 head.grad_norm:4 -> grad_norm.sum:4");
    assertThat(graph.waits("grad_norm.sum"))
        .isEqualTo("data of embedding.grad_norm layers.0.grad_norm head.grad_norm, behind nothing");
    assertThat(graph.waits("embedding.adam"))
        .isEqualTo("data of mb0.embedding.lookup.grad grad_norm.sum, behind nothing");
  }

  @Test
  void theNormIsReducedOverAllRanks() {
    Shown graph = one("layers: 1", "dp: 2", "global_batch: 2, grad_clip: true, zero: 2");
    assertThat(graph.tensors("layers.0.grad_norm"))
        .isEqualTo("layers.0.grad.shard#1:736 -> layers.0.grad_norm:4");
    assertThat(graph.tensors("grad_norm.all-reduce"))
        .isEqualTo("grad_norm.sum:4 -> grad_norm.all-reduce:4");
    assertThat(graph.waits("grad_norm.all-reduce"))
        .isEqualTo("data of grad_norm.sum, behind nothing");
    Node.Collective reduce = (Node.Collective) graph.node("grad_norm.all-reduce");
    assertThat(reduce.group().axisNames()).isEqualTo("dp");
    assertThat(reduce.elements()).isEqualTo(1);
    assertThat(graph.waits("head.adam"))
        .isEqualTo("data of mb0.head.grad.reduce-scatter.dp grad_norm.all-reduce, behind nothing");
  }

  @Test
  void onOneStageTheHeadReadsTheTableAndAddsToItsGradientFirst() {
    Shown graph = one("layers: 1, tied: true", "dp: 1", "global_batch: 1");
    assertThat(graph.tensors("mb0.head.logits")).contains("embedding.weight:2048");
    assertThat(graph.tensors("mb0.head.logits.wgrad")).endsWith(" -> embedding.weight.grad#1:4096");
    assertThat(graph.tensors("mb0.embedding.lookup.grad"))
        .contains("embedding.weight.grad#1:4096")
        .endsWith(" -> embedding.weight.grad#2:4096");
    assertThat(graph.waits("mb0.embedding.lookup.grad")).contains("mb0.head.logits.wgrad");
    assertThat(graph.tensors("head.adam")).doesNotContain("embedding.weight");
    assertThat(graph.matching("tied.*")).isEmpty();
  }

  @Test
  void onTwoStagesEachAddsUpItsGradientOfTheTableBehindAllPasses() {
    List<Shown> stages = graphs(llama("layers: 2, tied: true", "pp: 2", "global_batch: 1"));
    assertThat(stages.get(0).tensors("tied.all-reduce"))
        .isEqualTo("embedding.weight.grad#1:4096 -> embedding.weight.grad#2:4096");
    assertThat(stages.get(0).waits("tied.all-reduce"))
        .isEqualTo("data of mb0.embedding.lookup.grad, behind nothing");
    assertThat(stages.get(1).tensors("tied.all-reduce"))
        .isEqualTo("head.weight.grad#1:4096 -> head.weight.grad#2:4096");
    assertThat(stages.get(1).waits("tied.all-reduce"))
        .isEqualTo("data of mb0.head.logits.wgrad, behind mb0.layers.1.x.grad.sum");
    for (Shown stage : stages) {
      Node.Collective reduce = (Node.Collective) stage.node("tied.all-reduce");
      assertThat(reduce.group()).isEqualTo(both());
      assertThat(reduce.elements()).isEqualTo(TABLE);
    }
    assertThat(stages.get(1).waits("head.adam"))
        .isEqualTo(
            "data of mb0.head.norm.norm.grad tied.all-reduce, behind mb0.layers.1.x.grad.sum");
  }

  @Test
  void stagesBetweenKnowNothingOfATiedTable() {
    List<Shown> stages = graphs(llama("layers: 3, tied: true", "pp: 3", "global_batch: 1"));
    assertThat(stages.get(1).matching("tied.*")).isEmpty();
    Node.Collective reduce = (Node.Collective) stages.get(2).node("tied.all-reduce");
    assertThat(reduce.group()).isEqualTo(new Group.Members("pp", List.of(0, 2)));
  }

  @Test
  void whereShardsOutliveAMicroBatchThoseOfATiedTableAreExchanged() {
    String job = llama("layers: 2, tied: true", "pp: 2, dp: 2", "global_batch: 2, zero: 2");
    Shown first = graphs(job).get(0);
    assertThat(first.tensors("tied.all-reduce"))
        .isEqualTo("embedding.grad.shard#1:2048 -> embedding.grad.shard#2:2048");
    assertThat(first.waits("tied.all-reduce"))
        .isEqualTo(
            "data of mb0.embedding.grad.reduce-scatter.dp, behind mb0.embedding.lookup.grad");
    assertThat(((Node.Collective) first.node("tied.all-reduce")).elements()).isEqualTo(TABLE / 2);
    assertThat(first.tensors("embedding.adam")).contains("embedding.grad.shard#2:2048");
  }

  /** The first stage has the first half of the model and the second, the other the same. */
  @Test
  void inDualPipeBothStagesAddUpTheCopiesOfEachModuleInTheModelsOrder() {
    List<Shown> stages = graphs(llama("layers: 2", "pp: 2", "global_batch: 4, schedule: dualpipe"));
    String suffix = ".grad.all-reduce.pp.copies";
    for (Shown stage : stages) {
      assertThat(stage.matching(".*copies"))
          .containsExactly(
              "embedding" + suffix, "layers.0" + suffix, "layers.1" + suffix, "head" + suffix);
      // Two micro-batches have added to it.
      assertThat(stage.tensors("embedding" + suffix))
          .isEqualTo("embedding.weight.grad#2:4096 -> embedding.weight.grad#3:4096");
      Node.Collective reduce = (Node.Collective) stage.node("embedding" + suffix);
      assertThat(reduce.group()).isEqualTo(both());
      assertThat(reduce.elements()).isEqualTo(TABLE);
    }
    assertThat(stages.get(0).waits("embedding" + suffix))
        .isEqualTo("data of mb1.embedding.lookup.grad, behind nothing");
    assertThat(stages.get(1).waits("embedding" + suffix))
        .isEqualTo("data of mb3.embedding.lookup.grad, behind nothing");
    // Updates follow the chunks of each stage.
    assertThat(stages.get(1).names())
        .endsWith("layers.1.adam", "head.adam", "embedding.adam", "layers.0.adam");
  }

  @Test
  void inDualPipeCopiesExchangeShardsWhereZeroScatters() {
    String job = llama("layers: 2", "pp: 2, dp: 2", "global_batch: 8, schedule: dualpipe, zero: 2");
    Shown first = graphs(job).get(0);
    String copies = "embedding.grad.all-reduce.pp.copies";
    // The shards of two micro-batches and their sum come before.
    assertThat(first.tensors(copies))
        .isEqualTo("embedding.grad.shard#3:2048 -> embedding.grad.shard#4:2048");
    assertThat(first.waits(copies))
        .isEqualTo("data of mb1.embedding.grad.reduce-scatter.dp.accumulate, behind nothing");
    assertThat(first.waits("embedding.adam")).startsWith("data of " + copies + ", ");
  }

  @Test
  void inDualPipeATiedTableIsLentToTheHeadOfItsOwnStage() {
    String job = llama("layers: 2, tied: true", "pp: 2", "global_batch: 4, schedule: dualpipe");
    for (Shown stage : graphs(job)) {
      assertThat(stage.matching("tied.*")).isEmpty();
      assertThat(stage.matching("mb.*head.logits"))
          .isNotEmpty()
          .allSatisfy(
              logits -> assertThat(stage.tensors(logits)).contains("embedding.weight:2048"));
    }
  }

  @Test
  void knownDurationsStandOnTheNodesOfTheirModuleAndAction() {
    Durations known =
        (stage, unit, action) ->
            switch (stage.stage() + " " + unit + " " + action.name()) {
              case "0 layers.0 mlp.down" -> OptionalLong.of(7);
              case "0  send.forward" -> OptionalLong.of(9);
              case "0 embedding adam" -> OptionalLong.of(11);
              case "0  grad_norm.sum" -> OptionalLong.of(13);
              case "1  recv.forward" -> OptionalLong.of(15);
              default -> OptionalLong.empty();
            };
    String job = llama("layers: 2", "pp: 2", "global_batch: 2, grad_clip: true");
    List<Shown> stages = graphs(job, known);
    assertThat(duration(stages.get(0), "mb0.layers.0.mlp.down")).hasValue(7);
    assertThat(duration(stages.get(0), "mb1.layers.0.mlp.down")).hasValue(7);
    assertThat(duration(stages.get(0), "mb1.layers.0.mlp.up")).isEmpty();
    assertThat(duration(stages.get(1), "mb0.layers.1.mlp.down")).isEmpty();
    assertThat(duration(stages.get(0), "mb0.send.forward")).hasValue(9);
    assertThat(duration(stages.get(0), "embedding.adam")).hasValue(11);
    assertThat(duration(stages.get(0), "layers.0.adam")).isEmpty();
    assertThat(duration(stages.get(0), "grad_norm.sum")).hasValue(13);
    // How long a receive takes depends on when it is sent.
    assertThat(duration(stages.get(1), "mb0.recv.forward")).isEmpty();
  }

  private static OptionalLong duration(Shown graph, String node) {
    return graph.node(node).header().details().durationNs();
  }
}
