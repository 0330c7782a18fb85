package org.stage.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PipelineScheduleTest {
  private static String text(Schedule kind, int ranks, int rank, int microBatches) {
    return text(new Pipeline(kind, ranks, 1, microBatches), rank);
  }

  private static String text(Pipeline pipeline, int rank) {
    return pipeline.turns(rank).stream().map(Turn::toString).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "0, F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7",
    "1, F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 B6 B7",
    "2, F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 F6 B5 F7 B6 B7",
    "3, F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7"
  })
  void oneForwardOneBackwardAlternatesAfterOneForwardForEachStageBehind(
      int stage, String expected) {
    assertThat(text(new OneForwardOneBackward(), 4, stage, 8)).isEqualTo(expected);
  }

  @Test
  void gpipeRunsAllForwardsThenAllBackwardsOnEveryStage() {
    for (int stage = 0; stage < 4; stage++) {
      assertThat(text(new GPipe(), 4, stage, 8))
          .isEqualTo("F0 F1 F2 F3 F4 F5 F6 F7 B0 B1 B2 B3 B4 B5 B6 B7");
    }
  }

  @Test
  void fewerMicroBatchesThanStagesAreAllInFlight() {
    assertThat(text(new OneForwardOneBackward(), 4, 0, 2)).isEqualTo("F0 F1 B0 B1");
    assertThat(text(new OneForwardOneBackward(), 4, 3, 2)).isEqualTo("F0 B0 F1 B1");
    assertThat(text(new OneForwardOneBackward(), 1, 0, 1)).isEqualTo("F0 B0");
  }

  /** Figure 4 of arXiv 2104.04473: 4 devices, 8 micro-batches, 2 chunks; device 1 and device 4. */
  @Test
  void interleavedRunsAsManyMicroBatchesAsThereAreRanksThroughAChunkThenThroughTheNext() {
    Pipeline pipeline = new Pipeline(new Interleaved(), 4, 2, 8);
    assertThat(text(pipeline, 0))
        .isEqualTo(
            "F0 F1 F2 F3 F0.1 F1.1 F2.1 F3.1 F4 F5 F6 B0.1 F7 B1.1 F4.1 B2.1 F5.1 B3.1 F6.1 B0"
                + " F7.1 B1 B2 B3 B4.1 B5.1 B6.1 B7.1 B4 B5 B6 B7");
    assertThat(text(pipeline, 3))
        .isEqualTo(
            "F0 F1 F2 F3 F0.1 B0.1 F1.1 B1.1 F2.1 B2.1 F3.1 B3.1 F4 B0 F5 B1 F6 B2 F7 B3"
                + " F4.1 B4.1 F5.1 B5.1 F6.1 B6.1 F7.1 B7.1 B4 B5 B6 B7");
  }

  /** Figure 3 of arXiv 2401.10241: each rank leaves as many behind as stand before it. */
  @ParameterizedTest
  @CsvSource({
    "0, F0 F1 F2 I0 W0 F3 I1 W1 F4 I2 W2 I3 W3 I4 W4",
    "1, F0 F1 I0 F2 I1 W0 F3 I2 W1 F4 I3 W2 I4 W3 W4",
    "2, F0 I0 F1 I1 F2 I2 W0 F3 I3 W1 F4 I4 W2 W3 W4"
  })
  void zeroBubbleFillsTheEndWithWhatOnlyGradientsOfWeightsNeed(int rank, String expected) {
    assertThat(text(new ZeroBubble(), 3, rank, 5)).isEqualTo(expected);
  }

  /** Worked out by hand from the steps that DeepSeek publishes, for 4 ranks. */
  @ParameterizedTest
  @CsvSource({
    "0, F0 F1 F2 F4.1 I4.1 W4.1 F5.1 F3&B5.1 F6.1&B0 B6.1 F7.1&B1 B7.1 I2 W2 I3 W3",
    "1, F0 F4.1 F1 F5.1 F2 B4.1 F6.1&B0 F3&B5.1 F7.1&B1 B6.1 B2 I7.1 I3 W7.1 W3",
  })
  void dualPipeFeedsBothEnds(int rank, String expected) {
    assertThat(text(new DualPipe(), 4, rank, 8)).isEqualTo(expected);
  }

  @Test
  void inDualPipeARankAndItsMirrorImageDoTheSameInOppositeDirections() {
    Pipeline pipeline = new Pipeline(new DualPipe(), 6, 1, 14);
    for (int rank = 0; rank < 3; rank++) {
      for (int i = 0; i < pipeline.turns(rank).size(); i++) {
        Turn turn = pipeline.turns(rank).get(i);
        Turn mirrored =
            new Turn(
                turn.slots().stream()
                    .map(
                        slot ->
                            new Slot(slot.pass(), 1 - slot.chunk(), (slot.microBatch() + 7) % 14))
                    .toList());
        assertThat(pipeline.turns(5 - rank).get(i)).isEqualTo(mirrored);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.stage.schedule.Pipelines#all")
  void everyMicroBatchRunsOnceThroughEveryChunkAndCompletesInOrder(Pipeline pipeline) {
    for (int rank = 0; rank < pipeline.ranks(); rank++) {
      Map<String, Integer> count = new HashMap<>();
      Map<Integer, Integer> complete = new HashMap<>();
      for (Turn turn : pipeline.turns(rank)) {
        for (Slot slot : turn.slots()) {
          count.merge(slot.toString(), 1, Integer::sum);
          if (slot.pass().completes()) {
            int first = pipeline.firstMicroBatch(slot.chunk());
            int before = complete.getOrDefault(slot.chunk(), first - 1);
            assertThat(slot.microBatch()).isEqualTo(before + 1);
            complete.put(slot.chunk(), slot.microBatch());
          }
        }
      }
      assertThat(count.values()).containsOnly(1);
      int passes = pipeline.chunks() * pipeline.microBatchesOfChunk();
      assertThat(count.keySet()).filteredOn(key -> key.startsWith("F")).hasSize(passes);
      assertThat(count.keySet()).filteredOn(k -> k.matches("[BI].*")).hasSize(passes);
      assertThat(count.keySet()).filteredOn(k -> k.matches("[BW].*")).hasSize(passes);
    }
  }
}
