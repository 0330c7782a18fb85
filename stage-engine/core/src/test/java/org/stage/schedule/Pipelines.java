package org.stage.schedule;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Pipelines of every schedule that a workload file can ask for. */
final class Pipelines {
  private Pipelines() {}

  static Stream<Pipeline> all() {
    return Schedules.standard().all().stream().flatMap(Pipelines::of);
  }

  private static Stream<Pipeline> of(Schedule kind) {
    return switch (kind.name()) {
      case "gpipe", "1f1b" -> each(kind, IntStream.rangeClosed(1, 6).toArray(), 1);
      case "zero-bubble" -> each(kind, IntStream.rangeClosed(2, 8).toArray(), 1);
      case "interleaved" ->
          IntStream.rangeClosed(2, 4)
              .boxed()
              .flatMap(v -> each(kind, IntStream.rangeClosed(2, 6).toArray(), v))
              .filter(pipeline -> pipeline.microBatches() % pipeline.ranks() == 0);
      case "dualpipe" ->
          each(kind, new int[] {2, 4, 6, 8, 10}, 1)
              .filter(pipeline -> pipeline.microBatches() % 2 == 0)
              .filter(pipeline -> pipeline.microBatches() >= 2 * pipeline.ranks());
      default -> throw new IllegalArgumentException(kind.name());
    };
  }

  private static Stream<Pipeline> each(Schedule kind, int[] ranks, int chunks) {
    int[] some = {1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16, 18, 20, 24, 30};
    return IntStream.of(ranks)
        .boxed()
        .flatMap(p -> IntStream.of(some).mapToObj(m -> new Pipeline(kind, p, chunks, m)));
  }
}
