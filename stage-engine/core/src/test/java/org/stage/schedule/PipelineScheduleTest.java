package org.stage.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.spec.Training.ScheduleKind;

class PipelineScheduleTest {
  private static String text(ScheduleKind kind, int stages, int stage, int microBatches) {
    return PipelineSchedule.slots(kind, stages, stage, microBatches).stream()
        .map(Slot::toString)
        .collect(Collectors.joining(" "));
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
    assertThat(text(ScheduleKind.ONE_F_ONE_B, 4, stage, 8)).isEqualTo(expected);
  }

  @Test
  void gpipeRunsAllForwardsThenAllBackwardsOnEveryStage() {
    for (int stage = 0; stage < 4; stage++) {
      assertThat(text(ScheduleKind.GPIPE, 4, stage, 8))
          .isEqualTo("F0 F1 F2 F3 F4 F5 F6 F7 B0 B1 B2 B3 B4 B5 B6 B7");
    }
  }

  @Test
  void fewerMicroBatchesThanStagesAreAllInFlight() {
    assertThat(text(ScheduleKind.ONE_F_ONE_B, 4, 0, 2)).isEqualTo("F0 F1 B0 B1");
    assertThat(text(ScheduleKind.ONE_F_ONE_B, 4, 3, 2)).isEqualTo("F0 B0 F1 B1");
    assertThat(text(ScheduleKind.ONE_F_ONE_B, 1, 0, 1)).isEqualTo("F0 B0");
  }

  static Stream<Arguments> jobs() {
    return IntStream.rangeClosed(1, 6)
        .boxed()
        .flatMap(p -> IntStream.of(1, 2, 3, 5, 8, 13).mapToObj(m -> Arguments.of(p, m)));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void eachStageHoldsAtMostOneMicroBatchForItselfAndEachStageBehind(int p, int m) {
    for (int stage = 0; stage < p; stage++) {
      assertThat(inFlight(ScheduleKind.ONE_F_ONE_B, p, stage, m)).isEqualTo(Math.min(m, p - stage));
      assertThat(inFlight(ScheduleKind.GPIPE, p, stage, m)).isEqualTo(m);
    }
  }

  private static int inFlight(ScheduleKind kind, int stages, int stage, int microBatches) {
    int now = 0;
    int most = 0;
    for (Slot slot : PipelineSchedule.slots(kind, stages, stage, microBatches)) {
      now += slot.forward() ? 1 : -1;
      most = Math.max(most, now);
    }
    return most;
  }

  /** Arithmetic in whole units: a forward takes 1, a backward 2, a message nothing. */
  @ParameterizedTest
  @MethodSource("jobs")
  void bothSchedulesIdleForStagesMinusOneTurns(int p, int m) {
    for (ScheduleKind kind : ScheduleKind.values()) {
      int makespan = makespan(kind, p, m);
      assertThat(makespan - 3 * m).isEqualTo(3 * (p - 1));
      // The idle share (p - 1) / (m + p - 1), without fractions.
      assertThat((makespan - 3 * m) * (m + p - 1)).isEqualTo((p - 1) * makespan);
    }
  }

  private static int makespan(ScheduleKind kind, int p, int m) {
    List<List<Slot>> slots =
        IntStream.range(0, p).mapToObj(i -> PipelineSchedule.slots(kind, p, i, m)).toList();
    Map<String, Integer> ends = new HashMap<>();
    int[] next = new int[p];
    int[] free = new int[p];
    for (int done = 0; done < 2 * m * p; ) {
      int before = done;
      for (int stage = 0; stage < p; stage++) {
        if (next[stage] == 2 * m) {
          continue;
        }
        Slot slot = slots.get(stage).get(next[stage]);
        int from = slot.forward() ? stage - 1 : stage + 1;
        Integer ready = from < 0 || from == p ? Integer.valueOf(0) : ends.get(slot + "@" + from);
        if (ready != null) {
          free[stage] = Math.max(free[stage], ready) + (slot.forward() ? 1 : 2);
          ends.put(slot + "@" + stage, free[stage]);
          next[stage]++;
          done++;
        }
      }
      assertThat(done).as("the schedule stands still").isGreaterThan(before);
    }
    return IntStream.of(free).max().orElseThrow();
  }
}
