package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.emit.Toys.MIXED;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.stage.plan.Durations;
import org.stage.plan.StepPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;

/** The first of two stages: an embedding and a layer, on two data-parallel ranks. */
class ChunkEmitterTest {
  private static final String TRAINING = "global_batch: 4, zero: 2";

  private final GraphWriter graph = new GraphWriter();

  @BeforeEach
  void begin() {
    graph.beginTurn();
  }

  private ChunkEmitter chunk(String training) {
    StepPlan plan = Toys.plan(Toys.llama("layers: 2", "pp: 2, dp: 2", training)).stepPlans().get(0);
    return new ChunkEmitter(plan, plan.chunks().get(0), graph, Durations.NONE, MIXED);
  }

  private void run(ChunkEmitter chunk, Pass pass, int microBatch) {
    Slot slot = new Slot(pass, 0, microBatch);
    chunk.begin(slot).all();
    chunk.end(slot, graph.lastKernel());
  }

  @Test
  void aPassThatHasBegunHasAddedNothing() {
    chunk(TRAINING).begin(new Slot(Pass.FORWARD, 0, 0));
    assertThat(graph.next()).isZero();
  }

  @Test
  void aMicroBatchIsForgottenWhenItsGradientsAreComplete() {
    ChunkEmitter chunk = chunk(TRAINING);
    run(chunk, Pass.FORWARD, 0);
    run(chunk, Pass.FORWARD, 1);
    run(chunk, Pass.BACKWARD, 0);
    for (UnitEmitter unit : chunk.units()) {
      assertThatThrownBy(() -> unit.output(0)).hasMessageEndingWith(": nothing is left of 0");
      assertThat(unit.output(1)).isNotNull();
    }
  }

  @Test
  void underZeroBubbleItIsNeededUntilGradientsOfWeightsAreThere() {
    ChunkEmitter chunk = chunk(TRAINING + ", schedule: zero-bubble");
    UnitEmitter layer = chunk.units().get(1);
    run(chunk, Pass.FORWARD, 0);
    run(chunk, Pass.INPUT_GRADIENTS, 0);
    assertThat(layer.inputGradient(0)).isNotNull();
    run(chunk, Pass.WEIGHT_GRADIENTS, 0);
    assertThatThrownBy(() -> layer.inputGradient(0)).hasMessage("layers.0: nothing is left of 0");
  }

  @Test
  void theFirstMicroBatchHasNothingToAddItsShardTo() {
    ChunkEmitter chunk = chunk(TRAINING);
    for (int microBatch = 0; microBatch < 2; microBatch++) {
      run(chunk, Pass.FORWARD, microBatch);
      run(chunk, Pass.BACKWARD, microBatch);
    }
    assertThat(Shown.of(graph).matching("mb\\d\\.layers.*\\.grad\\.reduce-scatter.*"))
        .containsExactly(
            "mb0.layers.0.grad.reduce-scatter.dp",
            "mb1.layers.0.grad.reduce-scatter.dp",
            "mb1.layers.0.grad.reduce-scatter.dp.accumulate");
  }

  @Test
  void whatComesOnceAStepComesWithTheLastMicroBatchAndHasNoNumber() {
    ChunkEmitter chunk = chunk("global_batch: 4, overlap_gradients: true");
    for (int microBatch = 0; microBatch < 2; microBatch++) {
      run(chunk, Pass.FORWARD, microBatch);
      run(chunk, Pass.BACKWARD, microBatch);
    }
    Shown shown = Shown.of(graph);
    assertThat(shown.matching(".*grad\\.all-reduce.*"))
        .containsExactly("layers.0.grad.all-reduce.dp", "embedding.grad.all-reduce.dp");
    assertThat(shown.at("layers.0.grad.all-reduce.dp"))
        .isGreaterThan(shown.at("mb1.layers.0.attention_norm.norm.grad"))
        .isLessThan(shown.at("mb1.embedding.lookup.grad"));
  }
}
