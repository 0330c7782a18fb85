package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;

/**
 * The profiles of one job: of several ranks, and of each rank one or more windows that follow each
 * other. A profile that does not say its rank counts as rank 0.
 */
public final class ProfileSet {
  private final Map<Integer, List<Profile>> byRank;

  private ProfileSet(Map<Integer, List<Profile>> byRank) {
    this.byRank = byRank;
  }

  /**
   * Puts profiles together.
   *
   * @param profiles at least one
   * @throws InputException if two are of the same rank and of the same time
   */
  public static ProfileSet of(List<Profile> profiles) {
    Map<Integer, List<Profile>> byRank = new TreeMap<>();
    for (Profile profile : profiles) {
      byRank.computeIfAbsent(rank(profile), rank -> new ArrayList<>()).add(profile);
    }
    byRank.forEach(ProfileSet::order);
    return new ProfileSet(byRank);
  }

  /** The rank of {@code profile}; 0 if it does not say. */
  public static int rank(Profile profile) {
    return profile.rank().orElse(0);
  }

  private static void order(int rank, List<Profile> windows) {
    windows.sort(Comparator.comparingLong(Profile::startNs));
    for (int i = 1; i < windows.size(); i++) {
      Profile before = windows.get(i - 1);
      Profile after = windows.get(i);
      if (after.startNs() < before.endNs() || after.endNs() == 0) {
        throw new InputException(
            after.source(),
            "is of rank " + rank + ", as " + before.source() + " is, and of the same time",
            "Put the rank into the names of the files, as rank3.json.gz, or leave one out.");
      }
    }
  }

  /** The ranks, ascending. */
  public List<Integer> ranks() {
    return List.copyOf(byRank.keySet());
  }

  /** The windows of {@code rank}, in order of time. */
  public List<Profile> windows(int rank) {
    return List.copyOf(byRank.getOrDefault(rank, List.of()));
  }

  /**
   * Collectives that two ranks or more measured: those with the same number where the profiles give
   * numbers, else the n-th of a group and kind on each of its ranks, in order of time.
   */
  public List<CollectiveInstance> collectives() {
    Map<Key, Draft> drafts = new LinkedHashMap<>();
    byRank.forEach((rank, windows) -> collect(windows, drafts));
    return drafts.entrySet().stream()
        .filter(each -> each.getValue().ranks > 1)
        .map(each -> each.getValue().instance(each.getKey().kind()))
        .toList();
  }

  /** What is the same for one collective on all its ranks. */
  private record Key(Kind kind, String group, long number, boolean byOrder) {}

  /** A run of a collective. */
  private record Run(MeasuredOperator operator, int index) {
    long startNs() {
      return operator.runs().startNs(index);
    }
  }

  private static final class Draft {
    private final MeasuredOperator first;
    private MeasuredOperator shortest;
    private int ranks;
    private long minNs = Long.MAX_VALUE;
    private long maxNs;

    Draft(MeasuredOperator first) {
      this.first = first;
      this.shortest = first;
    }

    void add(MeasuredOperator operator, long durationNs) {
      ranks++;
      maxNs = Math.max(maxNs, durationNs);
      if (durationNs < minNs) {
        minNs = durationNs;
        shortest = operator;
      }
    }

    CollectiveInstance instance(Kind kind) {
      boolean described = shortest.transfer().bytes() > 0;
      return new CollectiveInstance(kind, described ? shortest : first, ranks, minNs, maxNs);
    }
  }

  private static void collect(List<Profile> windows, Map<Key, Draft> drafts) {
    List<Run> runs = new ArrayList<>();
    for (Profile window : windows) {
      for (MeasuredOperator operator : window.operators()) {
        if (isMatched(operator.kind())) {
          for (int i = 0; i < operator.runs().size(); i++) {
            runs.add(new Run(operator, i));
          }
        }
      }
    }
    runs.sort(Comparator.comparingLong(Run::startNs));
    Map<Key, Long> counts = new LinkedHashMap<>();
    for (Run run : runs) {
      MeasuredOperator operator = run.operator();
      Key key = key(operator, operator.runs().instance(run.index()), counts);
      drafts
          .computeIfAbsent(key, unknown -> new Draft(operator))
          .add(operator, operator.runs().durationNs(run.index()));
    }
  }

  private static Key key(MeasuredOperator operator, long instance, Map<Key, Long> counts) {
    if (instance != Runs.NO_INSTANCE) {
      return new Key(operator.kind(), "", instance, false);
    }
    String group = operator.transfer().group() + operator.transfer().members();
    Key sort = new Key(operator.kind(), group, 0, true);
    long number = counts.merge(sort, 1L, Long::sum);
    return new Key(operator.kind(), group, number, true);
  }

  /** Ends of pairs are of different pairs on different ranks: their order says nothing. */
  private static boolean isMatched(Kind kind) {
    return switch (kind) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, REDUCE, BARRIER -> true;
      default -> false;
    };
  }
}
