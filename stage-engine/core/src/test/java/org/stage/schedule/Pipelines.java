package org.stage.schedule;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Pipelines of every schedule that a workload file can ask for, of those sizes that the schedule
 * takes.
 */
final class Pipelines {
  private Pipelines() {}

  static Stream<Pipeline> all() {
    return Schedules.standard().all().stream().flatMap(Pipelines::of);
  }

  private static Stream<Pipeline> of(Schedule kind) {
    IntStream chunks = kind.hasVirtualStages() ? IntStream.rangeClosed(2, 4) : IntStream.of(1);
    return chunks.boxed().flatMap(each -> of(kind, each));
  }

  private static Stream<Pipeline> of(Schedule kind, int chunks) {
    int[] microBatches = {1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16, 18, 20, 24, 30};
    return IntStream.of(1, 2, 3, 4, 5, 6, 7, 8, 10)
        .filter(ranks -> ranks > 1 || !kind.needsPipeline())
        .boxed()
        .flatMap(p -> IntStream.of(microBatches).mapToObj(m -> new Pipeline(kind, p, chunks, m)))
        .filter(of -> of.ranks() == 1 || kind.unmet(of.ranks(), of.microBatches()).isEmpty());
  }
}
