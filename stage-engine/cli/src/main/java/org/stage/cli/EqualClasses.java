package org.stage.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.stage.analyze.Analysis.OfClass;
import org.stage.api.workload.RankSet;

/**
 * Classes of ranks of which a table would say the same: one row stands for all stages in the middle
 * of a pipeline.
 *
 * @param ranks the ranks of all of them
 * @param stages their pipeline ranks
 * @param first one of them
 */
record EqualClasses(RankSet ranks, RankSet stages, OfClass first) {
  /** The classes that look alike, in the order of their lowest ranks. */
  static List<EqualClasses> of(List<OfClass> classes, Function<OfClass, ?> shown) {
    Map<Object, List<OfClass>> alike = new LinkedHashMap<>();
    classes.forEach(
        each -> alike.computeIfAbsent(shown.apply(each), key -> new ArrayList<>()).add(each));
    return alike.values().stream().map(EqualClasses::of).toList();
  }

  private static EqualClasses of(List<OfClass> alike) {
    IntStream ranks = alike.stream().flatMapToInt(each -> each.ranks().stream());
    IntStream stages = alike.stream().mapToInt(OfClass::stage);
    return new EqualClasses(
        RankSet.of(ranks.sorted()), RankSet.of(stages.distinct().sorted()), alike.get(0));
  }
}
