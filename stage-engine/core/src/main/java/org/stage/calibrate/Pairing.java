package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;

/**
 * Which runs on different ranks are one collective: those with the same number, where the profiles
 * give numbers; else the n-th of a kind and group in the step of the same name, in order of time.
 * Sends and what has no order that all ranks share stand alone.
 */
final class Pairing {
  private final Map<Object, Instance> instances = new LinkedHashMap<>();

  private Pairing() {}

  /** What is the same for one collective on all its ranks. */
  private record Key(Kind kind, String group, String step, long instance, long count) {
    Key at(long number) {
      return new Key(kind, group, step, instance, number);
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
    Pairing pairing = new Pairing();
    set.ranks().forEach(rank -> pairing.collect(rank, set.windows(rank)));
    return List.copyOf(pairing.instances.values());
  }

  private record Run(Profile window, MeasuredOperator operator, int index) {
    long startNs() {
      return operator.runs().startNs(index);
    }

    String step() {
      int step = operator.runs().step(index);
      return step == Runs.NO_STEP ? "" : window.steps().get(step).name();
    }
  }

  private void collect(int rank, List<Profile> windows) {
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

  private static Key key(Run run, Map<Key, Long> counts) {
    MeasuredOperator operator = run.operator();
    long instance = operator.runs().instance(run.index());
    boolean numbered = instance != Runs.NO_INSTANCE;
    String group = operator.transfer().group() + operator.transfer().members();
    Key sort =
        new Key(operator.kind(), numbered ? "" : group, numbered ? "" : run.step(), instance, 0);
    // kernels of one call share its number
    return sort.at(counts.merge(sort, 1L, Long::sum));
  }

  /** Ends of pairs are of different pairs on different ranks: their order says nothing. */
  private static boolean isShared(Kind kind) {
    return switch (kind) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, REDUCE, BARRIER -> true;
      default -> false;
    };
  }
}
