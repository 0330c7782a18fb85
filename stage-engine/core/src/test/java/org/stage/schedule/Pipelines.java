package org.stage.schedule;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.job.PipelineParallelism.Schedule;

/** Pipelines of every schedule that a workload file can ask for. */
final class Pipelines {
  private Pipelines() {}

  static Stream<Pipeline> all() {
    return Stream.of(Schedule.values()).flatMap(Pipelines::of);
  }

  private static Stream<Pipeline> of(Schedule kind) {
    return switch (kind) {
      case GPIPE, ONE_F_ONE_B -> each(kind, IntStream.rangeClosed(1, 6).toArray(), 1);
      case ZERO_BUBBLE -> each(kind, IntStream.rangeClosed(2, 8).toArray(), 1);
      case INTERLEAVED ->
          IntStream.rangeClosed(2, 4)
              .boxed()
              .flatMap(v -> each(kind, IntStream.rangeClosed(2, 6).toArray(), v))
              .filter(pipeline -> pipeline.microBatches() % pipeline.ranks() == 0);
      case DUALPIPE ->
          each(kind, new int[] {2, 4, 6, 8, 10}, 1)
              .filter(pipeline -> pipeline.microBatches() % 2 == 0)
              .filter(pipeline -> pipeline.microBatches() >= 2 * pipeline.ranks());
    };
  }

  private static Stream<Pipeline> each(Schedule kind, int[] ranks, int chunks) {
    int[] some = {1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16, 18, 20, 24, 30};
    return IntStream.of(ranks)
        .boxed()
        .flatMap(p -> IntStream.of(some).mapToObj(m -> new Pipeline(kind, p, chunks, m)));
  }
}
