package org.stage.app;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankSet;
import org.stage.app.JobReading.ReadJob;

/** The ranks on which jobs lie that share a network. */
final class Places {
  private static final String OPTION = "--place";

  private Places() {}

  /** The ranks of each job, as a user types them; without {@code text} one after the other. */
  static List<RankSet> read(String text, List<ReadJob> jobs) {
    List<Integer> devices = jobs.stream().map(ReadJob::devices).toList();
    if (text.isEmpty()) {
      return inOrder(devices);
    }
    List<RankSet> places = Stream.of(text.split(",", -1)).map(part -> ranks(part.strip())).toList();
    return check(places, jobs.stream().map(ReadJob::source).toList(), devices);
  }

  private static RankSet ranks(String text) {
    try {
      return RankSet.parse(text.replace('+', ','));
    } catch (IllegalArgumentException e) {
      throw new InputException(
          OPTION,
          "'" + text + "' is no range of ranks",
          "Give one for each job, such as 0-63,64-127; join ranges of one job by +.");
    }
  }

  /** One job after the other. */
  static List<RankSet> inOrder(List<Integer> devices) {
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
   * @param jobs the names of the jobs
   * @param devices how many devices each has
   * @throws InputException if they are not so
   */
  static List<RankSet> check(List<RankSet> places, List<String> jobs, List<Integer> devices) {
    if (places.size() != jobs.size()) {
      throw new InputException(
          OPTION,
          "places " + places.size() + " jobs, but there are " + jobs.size(),
          "Give a range of ranks for each job, in the order of the files.");
    }
    int total = devices.stream().reduce(0, Math::addExact);
    BitSet taken = new BitSet();
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i).size() != devices.get(i)) {
        throw new InputException(
            OPTION,
            "gives job "
                + jobs.get(i)
                + " "
                + Counted.of(places.get(i).size(), "rank")
                + " ("
                + places.get(i)
                + "), but it has "
                + Counted.of(devices.get(i), "device"),
            "");
      }
      take(jobs.get(i), places.get(i), taken);
    }
    requireNoGap(taken, total);
    return List.copyOf(places);
  }

  private static void take(String job, RankSet place, BitSet taken) {
    RankSet twice = RankSet.of(place.stream().filter(taken::get));
    if (twice.size() > 0) {
      throw new InputException(
          OPTION,
          "puts job " + job + " on ranks " + twice + ", on which another is",
          "A device runs one job.");
    }
    place.stream().forEach(taken::set);
  }

  private static void requireNoGap(BitSet taken, int total) {
    if (taken.length() > total) {
      RankSet idle =
          RankSet.of(IntStream.range(0, taken.length()).filter(rank -> !taken.get(rank)));
      throw new InputException(
          OPTION,
          "leaves ranks " + idle + " idle",
          "Together the jobs have "
              + total
              + " devices: place them on ranks 0-"
              + (total - 1)
              + ".");
    }
  }
}
