package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.analyze.Analysis;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.MemoryTimeline.Moment;

class MemoryTimelineTest {
  private static final String JOB =
      "{model: {preset: llama-3.1-8b, layers: 8}, mesh: {pp: 2, dp: 2}, training: {global_batch: 16,"
          + " seq: 2048, %s}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedule: gpipe",
        "schedule: 1f1b",
        "schedule: interleaved, virtual_stages: 2",
        "schedule: zero-bubble",
        "schedule: dualpipe",
        "schedule: 1f1b, recompute: full",
        "schedule: 1f1b, zero: 3"
      })
  void itsMaximumIsThePeakPartByPart(String training) {
    Synthesis job = Jobs.job(JOB.formatted(training));
    List<Analysis.OfClass> classes = job.analysis().classes();
    List<MemoryTimeline> timelines = job.memoryTimelines();
    assertThat(timelines).hasSameSizeAs(classes);
    for (int i = 0; i < classes.size(); i++) {
      assertThat(timelines.get(i).ranks()).isEqualTo(classes.get(i).ranks());
      assertThat(timelines.get(i).peak().memory()).isEqualTo(classes.get(i).memory());
      assertThat(timelines.get(i).moments())
          .allSatisfy(moment -> assertThat(moment.kept()).isNotNegative());
    }
  }

  static Stream<String> jobs() {
    return SeededJobs.some(60);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void itsMaximumIsThePeakOfAnyJob(String yaml) {
    Synthesis job = Jobs.job(yaml);
    List<Analysis.OfClass> classes = job.analysis().classes();
    for (int i = 0; i < classes.size(); i++) {
      List<Moment> moments = job.memoryTimelines().get(i).moments();
      long most = moments.stream().mapToLong(moment -> moment.memory().peak()).max().orElse(0);
      assertThat(most).isEqualTo(classes.get(i).memory().peak());
      assertThat(moments.get(moments.size() - 1).kept()).isZero();
    }
  }

  /** Four layers and an embedding, forward and backward, eight times. */
  @Test
  void everyModuleOfEveryTurnHasItsMoment() {
    MemoryTimeline first = Jobs.job(JOB.formatted("schedule: 1f1b")).memoryTimelines().get(0);

    assertThat(first.moments()).hasSize(8 * 2 * 5);
    assertThat(first.moments().subList(0, 5))
        .extracting(moment -> moment.passes() + " " + moment.modules())
        .containsExactly(
            "F0 [embedding]", "F0 [layers.0]", "F0 [layers.1]", "F0 [layers.2]", "F0 [layers.3]");
    Moment last = first.moments().get(79);
    assertThat(last.passes() + " " + last.modules()).isEqualTo("B7 [embedding]");
    assertThat(last.turn()).isEqualTo(15);
  }

  /** The first of two stages keeps two micro-batches, the second one; in the end none. */
  @Test
  void activationsRiseInTheWarmUpAndAreGoneInTheEnd() {
    List<MemoryTimeline> stages = Jobs.job(JOB.formatted("schedule: 1f1b")).memoryTimelines();
    for (MemoryTimeline stage : stages) {
      List<Moment> moments = stage.moments();
      long one = keptAfter(moments, 0);
      long most = moments.stream().mapToLong(Moment::kept).max().orElse(0);
      assertThat(most).isEqualTo(one * (2 - stage.stage()));
      assertThat(moments.get(moments.size() - 1).kept()).isZero();
    }
  }

  private static long keptAfter(List<Moment> moments, int turn) {
    return moments.stream()
        .filter(moment -> moment.turn() == turn)
        .mapToLong(Moment::kept)
        .reduce(0, (before, kept) -> kept);
  }
}
