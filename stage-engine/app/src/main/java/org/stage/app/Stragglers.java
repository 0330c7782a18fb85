package org.stage.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Makes some devices of a workload slower than the others. */
final class Stragglers {
  private static final String OPTION = "--slow";
  private static final Pattern FORM = Pattern.compile("([^:]*):(\\d{1,6}(?:\\.\\d{1,9})?)");

  private Stragglers() {}

  /** By rank, how many times longer its kernels take, as a user types it; only slow ranks. */
  static Map<Integer, Double> read(List<String> texts, int devices) {
    Map<Integer, Double> factors = new TreeMap<>();
    for (String text : texts) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new InputException(
            OPTION, "'" + text + "' is not RANKS:FACTOR", "For example --slow 5:1.2.");
      }
      double factor = Double.parseDouble(parts.group(2));
      if (factor <= 1) {
        throw new InputException(
            OPTION,
            "'" + text + "' makes nothing slower",
            "Give a factor above 1: 1.2 takes a fifth longer.");
      }
      Ranks.read(OPTION, parts.group(1), devices).stream()
          .forEach(rank -> put(factors, rank, factor));
    }
    return factors;
  }

  private static void put(Map<Integer, Double> factors, int rank, double factor) {
    if (factors.put(rank, factor) != null) {
      throw new InputException(OPTION, "rank " + rank + " is named twice", "");
    }
  }

  /**
   * The same workload with slow ranks in classes of their own: those of one class that are equally
   * slow stay together, and what is left of a class keeps its graph and speed.
   *
   * @param factors by rank, how many times longer its kernels take
   */
  static Workload slow(Workload workload, Map<Integer, Double> factors) {
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
