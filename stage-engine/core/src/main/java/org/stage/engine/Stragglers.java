package org.stage.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Makes some devices of a workload slower than the others. */
public final class Stragglers {
  private Stragglers() {}

  /**
   * The same workload with slow ranks in classes of their own: those of one class that are equally
   * slow stay together, and what is left of a class keeps its graph and speed.
   *
   * @param factors by rank, how many times longer its kernels take
   */
  public static Workload slow(Workload workload, Map<Integer, Double> factors) {
    List<RankClass> classes = new ArrayList<>();
    for (RankClass each : workload.classes()) {
      parts(each, factors)
          .forEach((factor, ranks) -> classes.add(each.withRanks(ranks).slowedBy(factor)));
    }
    classes.sort(Comparator.comparingInt(each -> each.ranks().first()));
    return workload.withClasses(classes);
  }

  /** The ranks of a class by how slow they are. */
  private static Map<Double, RankSet> parts(RankClass each, Map<Integer, Double> factors) {
    Map<Double, RankSet> parts = new TreeMap<>();
    each.ranks().stream()
        .mapToObj(rank -> factors.getOrDefault(rank, 1.0))
        .distinct()
        .forEach(
            factor ->
                parts.put(
                    factor,
                    RankSet.of(
                        each.ranks().stream()
                            .filter(rank -> factors.getOrDefault(rank, 1.0).equals(factor)))));
    return parts;
  }
}
