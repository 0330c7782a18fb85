package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;

/**
 * Which runs on different ranks are one collective: those with the same number, where the profiles
 * give numbers; else the n-th of a kind, group and size in the step of the same name, in order of
 * time. Whatever their sizes are, the n-th are one where a size is not known, and of all-to-alls,
 * of which ranks may send unequal shares, where all ranks have as many. Sends and what has no order
 * that all ranks share stand alone.
 */
final class Pairing {
  private final Map<Object, Instance> instances = new LinkedHashMap<>();
  private final Map<Key, Sort> sorts = new HashMap<>();

  private Pairing() {}

  /** What is the same for one collective on all its ranks. */
  private record Key(Kind kind, String group, String step, long bytes, long instance, long count) {
    Key at(long number) {
      return new Key(kind, group, step, bytes, instance, number);
    }

    Key ofSize(long size) {
      return new Key(kind, group, step, size, instance, count);
    }
  }

  /** What is seen of all runs of a kind and group in a step, whatever their sizes. */
  private static final class Sort {
    private final Map<Integer, Long> runsByRank = new LinkedHashMap<>();
    private boolean sized = true;

    void add(int rank, long bytes) {
      runsByRank.merge(rank, 1L, Long::sum);
      sized &= bytes > 0;
    }

    /** Whether the n-th runs of all ranks may be one though their sizes differ. */
    boolean isByOrder(Kind kind) {
      long counts = runsByRank.values().stream().distinct().count();
      return !sized || (kind == Kind.ALL_TO_ALL && counts == 1);
    }
  }

  /**
   * A rank's part of a communication.
   *
   * @param rank the rank
   * @param operator how it describes it
   * @param durationNs waiting and transfer, nanoseconds
   * @param counts whether it lies in the steps that count
   */
  record Part(int rank, MeasuredOperator operator, long durationNs, boolean counts) {}

  /**
   * A communication.
   *
   * @param kind what it is
   * @param parts what each rank measured, by rank
   */
  record Instance(Kind kind, List<Part> parts) {
    /** How many ranks measured it. */
    int ranks() {
      return (int) parts.stream().mapToInt(Part::rank).distinct().count();
    }

    Part shortest() {
      return parts.stream().min(Comparator.comparingLong(Part::durationNs)).orElseThrow();
    }

    /** How the rank that took least describes it, or another if that does not tell its size. */
    MeasuredOperator described() {
      MeasuredOperator own = shortest().operator();
      return own.transfer().bytes() > 0 ? own : parts.get(0).operator();
    }
  }

  /** All communication of a run, in the order in which it was met. */
  static List<Instance> of(ProfileSet set) {
    Pairing pairing = pair(set);
    return List.copyOf(pairing.instances.values());
  }

  private static Pairing pair(ProfileSet set) {
    Pairing pairing = new Pairing();
    Map<Integer, List<Run>> runs = new LinkedHashMap<>();
    set.ranks().forEach(rank -> runs.put(rank, runs(set.windows(rank))));
    runs.forEach(
        (rank, all) ->
            all.stream()
                .filter(each -> isShared(each.operator().kind()))
                .forEach(each -> pairing.sort(sort(each)).add(rank, each.bytes())));
    runs.forEach(pairing::collect);
    return pairing;
  }

  /**
   * Communication without a number that is of one rank alone, though other ranks have some of its
   * kind and group.
   */
  static List<Instance> unmatched(ProfileSet set) {
    Pairing pairing = pair(set);
    List<Instance> alone = new ArrayList<>();
    pairing.instances.forEach(
        (key, instance) -> {
          if (key instanceof Key of && of.instance() == Runs.NO_INSTANCE && instance.ranks() == 1) {
            int ranks = pairing.sort(of.ofSize(0).at(0)).runsByRank.size();
            if (ranks > 1) {
              alone.add(instance);
            }
          }
        });
    return alone;
  }

  private Sort sort(Key key) {
    return sorts.computeIfAbsent(key, each -> new Sort());
  }

  private record Run(Profile window, MeasuredOperator operator, int index) {
    long bytes() {
      return operator.transfer().bytes();
    }

    long startNs() {
      return operator.runs().startNs(index);
    }

    String step() {
      int step = operator.runs().step(index);
      return step == Runs.NO_STEP ? "" : window.steps().get(step).name();
    }
  }

  private static List<Run> runs(List<Profile> windows) {
    List<Run> runs = new ArrayList<>();
    for (Profile window : windows) {
      for (MeasuredOperator operator : window.operators()) {
        if (operator.kind().isCommunication()) {
          for (int i = 0; i < operator.runs().size(); i++) {
            runs.add(new Run(window, operator, i));
          }
        }
      }
    }
    runs.sort(Comparator.comparingLong(Run::startNs));
    return runs;
  }

  private void collect(int rank, List<Run> runs) {
    Map<Key, Long> counts = new LinkedHashMap<>();
    for (Run run : runs) {
      MeasuredOperator operator = run.operator();
      Runs measured = operator.runs();
      boolean inWindow = Window.of(run.window()).holds(measured, run.index());
      Part part = new Part(rank, operator, measured.durationNs(run.index()), inWindow);
      Object name = isShared(operator.kind()) ? key(run, counts) : new Object();
      instances
          .computeIfAbsent(name, unknown -> new Instance(operator.kind(), new ArrayList<>()))
          .parts()
          .add(part);
    }
  }

  private Key key(Run run, Map<Key, Long> counts) {
    Key sort = sort(run);
    boolean bySize =
        sort.instance() == Runs.NO_INSTANCE && !sort(sort).isByOrder(run.operator().kind());
    Key key = bySize ? sort.ofSize(run.bytes()) : sort;
    // kernels of one call share its number
    return key.at(counts.merge(key, 1L, Long::sum));
  }

  private static Key sort(Run run) {
    MeasuredOperator operator = run.operator();
    long instance = operator.runs().instance(run.index());
    boolean numbered = instance != Runs.NO_INSTANCE;
    String group = operator.transfer().group() + operator.transfer().members();
    return new Key(
        operator.kind(), numbered ? "" : group, numbered ? "" : run.step(), 0, instance, 0);
  }

  /** Ends of pairs are of different pairs on different ranks: their order says nothing. */
  private static boolean isShared(Kind kind) {
    return switch (kind) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, REDUCE, BARRIER -> true;
      default -> false;
    };
  }
}
