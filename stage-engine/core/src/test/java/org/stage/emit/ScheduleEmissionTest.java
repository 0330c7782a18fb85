package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.emit.Toys.graphs;
import static org.stage.emit.Toys.llama;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.workload.Node;
import org.stage.api.workload.Peer;

/** Two stages, unless it is said otherwise: in which order their passes and messages come. */
class ScheduleEmissionTest {
  /** Messages, first kernels of the model, and products whose gradients of weights can be late. */
  private static final String SOME =
      "mb\\d\\.((chunk\\d\\.)?(send|recv)\\..*|embedding\\.lookup|head\\.loss|.*mlp\\.down\\.wgrad)";

  private static final String MESSAGES = "mb\\d\\.(chunk\\d\\.)?(send|recv)\\..*";

  private static List<Shown> stages(int layers, String training) {
    return graphs(llama("layers: " + layers, "pp: 2", training));
  }

  @Test
  void gpipeRunsAllForwardPassesFirst() {
    List<Shown> stages = stages(2, "global_batch: 2, schedule: gpipe");
    assertThat(stages.get(0).matching(SOME))
        .containsExactly(
            "mb0.embedding.lookup",
            "mb0.send.forward",
            "mb1.embedding.lookup",
            "mb1.send.forward",
            "mb0.recv.backward",
            "mb0.layers.0.mlp.down.wgrad",
            "mb1.recv.backward",
            "mb1.layers.0.mlp.down.wgrad");
    assertThat(stages.get(1).matching(SOME))
        .containsExactly(
            "mb0.recv.forward",
            "mb0.head.loss",
            "mb1.recv.forward",
            "mb1.head.loss",
            "mb0.layers.1.mlp.down.wgrad",
            "mb0.send.backward",
            "mb1.layers.1.mlp.down.wgrad",
            "mb1.send.backward");
  }

  @Test
  void under1f1bTheFirstOfTwoStagesIsOneForwardPassAhead() {
    List<Shown> stages = stages(2, "global_batch: 3, schedule: 1f1b");
    assertThat(stages.get(0).matching(MESSAGES))
        .containsExactly(
            "mb0.send.forward",
            "mb1.send.forward",
            "mb0.recv.backward",
            "mb2.send.forward",
            "mb1.recv.backward",
            "mb2.recv.backward");
    assertThat(stages.get(1).matching(MESSAGES))
        .containsExactly(
            "mb0.recv.forward",
            "mb0.send.backward",
            "mb1.recv.forward",
            "mb1.send.backward",
            "mb2.recv.forward",
            "mb2.send.backward");
  }

  @Test
  void interleavedMicroBatchesPassEachChunkOfAStage() {
    List<Shown> stages = stages(4, "global_batch: 2, schedule: interleaved, virtual_stages: 2");
    assertThat(stages.get(0).matching(MESSAGES))
        .containsExactly(
            "mb0.chunk0.send.forward",
            "mb1.chunk0.send.forward",
            "mb0.chunk1.recv.forward",
            "mb0.chunk1.send.forward",
            "mb1.chunk1.recv.forward",
            "mb1.chunk1.send.forward",
            "mb0.chunk1.recv.backward",
            "mb0.chunk1.send.backward",
            "mb1.chunk1.recv.backward",
            "mb1.chunk1.send.backward",
            "mb0.chunk0.recv.backward",
            "mb1.chunk0.recv.backward");
  }

  @Test
  void zeroBubbleLeavesGradientsOfWeightsOfOneMicroBatchBehindOnTheSecondStage() {
    List<Shown> stages = stages(2, "global_batch: 3, schedule: zero-bubble");
    assertThat(stages.get(1).matching(SOME))
        .containsExactly(
            "mb0.recv.forward",
            "mb0.head.loss",
            "mb0.send.backward",
            "mb1.recv.forward",
            "mb1.head.loss",
            "mb1.send.backward",
            "mb0.layers.1.mlp.down.wgrad",
            "mb2.recv.forward",
            "mb2.head.loss",
            "mb2.send.backward",
            "mb1.layers.1.mlp.down.wgrad",
            "mb2.layers.1.mlp.down.wgrad");
  }

  /** F0 F2.1 F1 B2.1 F3.1&B0 B3.1 I1 W1, where chunk 1 is the last position. */
  @Test
  void inDualPipeMicroBatchesComeFromBothEnds() {
    List<Shown> stages = stages(2, "global_batch: 4, schedule: dualpipe");
    assertThat(stages.get(0).matching(SOME))
        .containsExactly(
            "mb0.embedding.lookup",
            "mb0.send.forward",
            "mb2.recv.forward",
            "mb2.head.loss",
            "mb1.embedding.lookup",
            "mb1.send.forward",
            "mb2.layers.1.mlp.down.wgrad",
            "mb2.send.backward",
            "mb3.recv.forward",
            "mb3.head.loss",
            "mb0.recv.backward",
            "mb0.layers.0.mlp.down.wgrad",
            "mb3.layers.1.mlp.down.wgrad",
            "mb3.send.backward",
            "mb1.recv.backward",
            "mb1.layers.0.mlp.down.wgrad");
    // The other stage is its mirror image, with the other half of the micro-batches.
    assertThat(stages.get(1).matching(MESSAGES))
        .startsWith(
            "mb2.send.forward", "mb0.recv.forward", "mb3.send.forward", "mb0.send.backward");
  }

  @Test
  void aTurnWaitsForTheTurnBefore() {
    Shown stage = stages(2, "global_batch: 2, schedule: gpipe").get(0);
    assertThat(stage.waits("mb0.embedding.lookup")).isEqualTo("data of nothing, behind nothing");
    assertThat(stage.waits("mb1.embedding.lookup"))
        .isEqualTo("data of nothing, behind mb0.layers.0.mlp_residual");
    assertThat(stage.waits("mb0.layers.0.mlp.down.dgrad"))
        .isEqualTo("data of mb0.recv.backward, behind mb1.layers.0.mlp_residual");
  }

  @Test
  void aMessageSaysHowFarItGoesAndItsNumber() {
    List<Shown> stages = stages(2, "global_batch: 2, schedule: 1f1b");
    assertThat(message(stages.get(0), "mb1.send.forward")).isEqualTo("to 1 #2");
    assertThat(message(stages.get(1), "mb1.recv.forward")).isEqualTo("from -1 #2");
    assertThat(message(stages.get(1), "mb1.send.backward")).isEqualTo("to -1 #3");
    assertThat(message(stages.get(0), "mb1.recv.backward")).isEqualTo("from 1 #3");
  }

  /** Behind position 1, on the last stage, comes position 2, on the first. */
  @Test
  void aMessageBetweenChunksGoesAroundAndHasANumberOfItsOwn() {
    List<Shown> stages = stages(4, "global_batch: 2, schedule: interleaved, virtual_stages: 2");
    assertThat(message(stages.get(1), "mb1.chunk0.send.forward")).isEqualTo("to -1 #2");
    assertThat(message(stages.get(0), "mb1.chunk1.recv.forward")).isEqualTo("from 1 #2");
    assertThat(message(stages.get(0), "mb1.chunk1.send.forward")).isEqualTo("to 1 #6");
    assertThat(message(stages.get(0), "mb1.chunk1.recv.backward")).isEqualTo("from 1 #7");
  }

  private static String message(Shown stage, String name) {
    if (stage.node(name) instanceof Node.Send send) {
      return "to " + offset(send.peer()) + " #" + send.tag();
    }
    Node.Recv recv = (Node.Recv) stage.node(name);
    return "from " + offset(recv.peer()) + " #" + recv.tag();
  }

  /** Four tokens of 8 elements, in 16 bits. */
  @Test
  void aMessageHandsOverTheOutputAndTheGradientOfTheInput() {
    List<Shown> stages = stages(2, "global_batch: 1");
    assertThat(stages.get(0).tensors("mb0.send.forward")).isEqualTo("mb0.layers.0.y:64 -> nothing");
    assertThat(stages.get(0).waits("mb0.send.forward"))
        .isEqualTo("data of mb0.layers.0.mlp_residual, behind nothing");
    assertThat(stages.get(1).tensors("mb0.recv.forward"))
        .isEqualTo("nothing -> mb0.received.forward:64");
    assertThat(stages.get(1).tensors("mb0.layers.1.attention_norm.norm"))
        .startsWith("layers.1.attention_norm.weight:16 mb0.received.forward:64 -> ");
    assertThat(stages.get(1).tensors("mb0.send.backward"))
        .isEqualTo("mb0.layers.1.x.grad:64 -> nothing");
    assertThat(stages.get(1).waits("mb0.send.backward"))
        .isEqualTo("data of mb0.layers.1.x.grad.sum, behind nothing");
  }

  @Test
  void aReceiveWaitsForTheLastKernelOfTheSameChunkAndDirection() {
    Shown stage = stages(4, "global_batch: 2, schedule: interleaved, virtual_stages: 2").get(0);
    String nothing = "data of nothing, behind nothing";
    assertThat(stage.waits("mb0.chunk1.recv.forward")).isEqualTo(nothing);
    assertThat(stage.waits("mb1.chunk1.recv.forward"))
        .isEqualTo("data of nothing, behind mb0.layers.2.mlp_residual");
    assertThat(stage.waits("mb0.chunk1.recv.backward")).isEqualTo(nothing);
    assertThat(stage.waits("mb1.chunk1.recv.backward"))
        .isEqualTo("data of nothing, behind mb0.layers.2.x.grad.sum");
    assertThat(stage.waits("mb0.chunk0.recv.backward")).isEqualTo(nothing);
    assertThat(stage.waits("mb1.chunk0.recv.backward"))
        .isEqualTo("data of nothing, behind mb0.embedding.lookup.grad");
  }

  @Test
  void inDualPipeTheTwoDirectionsDoNotWaitForOneAnother() {
    Shown stage = stages(2, "global_batch: 4, schedule: dualpipe").get(0);
    assertThat(stage.waits("mb2.recv.forward")).isEqualTo("data of nothing, behind nothing");
    assertThat(stage.waits("mb3.recv.forward")).isEqualTo("data of nothing, behind mb2.head.loss");
    assertThat(stage.waits("mb0.recv.backward")).isEqualTo("data of nothing, behind nothing");
    assertThat(stage.waits("mb1.recv.backward"))
        .isEqualTo("data of nothing, behind mb0.embedding.lookup.grad");
  }

  @ParameterizedTest
  @CsvSource({
    "gpipe, 3, 1",
    "1f1b, 5, 1",
    "interleaved, 8, 2",
    "zero-bubble, 5, 1",
    "dualpipe, 10, 1"
  })
  void whatOneOfFourStagesSendsAnotherReceives(String schedule, int microBatches, int chunks) {
    List<Shown> stages =
        graphs(
            llama(
                "layers: 8",
                "pp: 4",
                "global_batch: %d, schedule: %s, virtual_stages: %d"
                    .formatted(microBatches, schedule, chunks)));
    List<String> sent = new ArrayList<>();
    List<String> received = new ArrayList<>();
    for (int stage = 0; stage < 4; stage++) {
      for (Node node : stages.get(stage).graph().nodes()) {
        if (node instanceof Node.Send send) {
          sent.add(
              stage + " to " + Math.floorMod(stage + offset(send.peer()), 4) + " #" + send.tag());
        } else if (node instanceof Node.Recv recv) {
          int from = Math.floorMod(stage + offset(recv.peer()), 4);
          received.add(from + " to " + stage + " #" + recv.tag());
        }
      }
    }
    // Out and back, between neighbouring positions.
    assertThat(sent).hasSize(2 * microBatches * (4 * chunks - 1)).doesNotHaveDuplicates();
    assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
  }

  private static int offset(Peer peer) {
    return ((Peer.Along) peer).offset();
  }
}
