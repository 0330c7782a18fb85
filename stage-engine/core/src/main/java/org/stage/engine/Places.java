package org.stage.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankSet;

/** The ranks on which jobs lie that share a network. */
public final class Places {
  private Places() {}

  /** One job after the other. */
  public static List<RankSet> inOrder(List<Integer> devices) {
    List<RankSet> places = new ArrayList<>();
    int next = 0;
    for (int count : devices) {
      int first = next;
      next = Math.addExact(next, count);
      places.add(RankSet.of(IntStream.range(first, next)));
    }
    return List.copyOf(places);
  }

  /**
   * The places that a user chose, checked: each as large as its job, none on ranks of another, all
   * together the ranks from 0 on without a gap.
   *
   * @param source where they stand, for messages
   * @param jobs the names of the jobs
   * @param devices how many devices each has
   * @throws InputException if they are not so
   */
  public static List<RankSet> check(
      String source, List<RankSet> places, List<String> jobs, List<Integer> devices) {
    if (places.size() != jobs.size()) {
      throw new InputException(
          source,
          "places " + places.size() + " jobs, but there are " + jobs.size(),
          "Give a range of ranks for each job, in the order of the files.");
    }
    int total = devices.stream().reduce(0, Math::addExact);
    BitSet taken = new BitSet();
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i).size() != devices.get(i)) {
        throw new InputException(
            source,
            "gives job "
                + jobs.get(i)
                + " "
                + places.get(i).size()
                + " ranks ("
                + places.get(i)
                + "), but it has "
                + devices.get(i)
                + " devices",
            "");
      }
      take(source, jobs.get(i), places.get(i), taken);
    }
    requireNoGap(source, taken, total);
    return List.copyOf(places);
  }

  private static void take(String source, String job, RankSet place, BitSet taken) {
    RankSet twice = RankSet.of(place.stream().filter(taken::get));
    if (twice.size() > 0) {
      throw new InputException(
          source,
          "puts job " + job + " on ranks " + twice + ", on which another is",
          "A device runs one job.");
    }
    place.stream().forEach(taken::set);
  }

  private static void requireNoGap(String source, BitSet taken, int total) {
    if (taken.length() > total) {
      RankSet idle =
          RankSet.of(IntStream.range(0, taken.length()).filter(rank -> !taken.get(rank)));
      throw new InputException(
          source,
          "leaves ranks " + idle + " idle",
          "Together the jobs have "
              + total
              + " devices: place them on ranks 0-"
              + (total - 1)
              + ".");
    }
  }
}
