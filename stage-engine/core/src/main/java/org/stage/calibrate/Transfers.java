package org.stage.calibrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Transfer;

/**
 * How long collectives and sends take by themselves. What one rank measures is waiting for the
 * others and transfer together, and the last rank to come waits for nobody: so each instance takes
 * the minimum over its ranks. Where only one rank was measured, the shortest run is the best bound.
 */
final class Transfers {
  private final Map<Key, Map<Object, Seen>> instances = new LinkedHashMap<>();

  private Transfers() {}

  /**
   * What makes transfers equal.
   *
   * @param kind the collective
   * @param groupSize ranks that take part
   * @param bytes this rank's input
   */
  record Key(Kind kind, int groupSize, long bytes) {}

  /**
   * Measured transfers of one kind, group size and size.
   *
   * @param key what they have in common
   * @param ns how long the transfer takes
   * @param count instances, or runs where instances are not told apart
   * @param bound whether only one rank was seen, so that waiting may be in it
   */
  record Measured(Key key, double ns, int count, boolean bound) {}

  private record Seen(double least, int ranks) {
    Seen and(double other) {
      return new Seen(Math.min(least, other), ranks + 1);
    }
  }

  /** An instance that the profile does not tell apart: the how-manieth of its group. */
  private record InOrder(String group, List<Integer> members, long number) {}

  /** Of the ranks of one run. */
  static List<Measured> of(List<Profile> profiles) {
    Transfers transfers = new Transfers();
    profiles.forEach(transfers::add);
    List<Measured> measured = new ArrayList<>();
    transfers.instances.forEach(
        (key, seen) -> {
          if (!seen.isEmpty()) {
            measured.add(measured(key, List.copyOf(seen.values())));
          }
        });
    return measured;
  }

  private static Measured measured(Key key, List<Seen> seen) {
    List<Seen> shared = seen.stream().filter(each -> each.ranks() > 1).toList();
    boolean bound = shared.isEmpty();
    double[] least = (bound ? seen : shared).stream().mapToDouble(Seen::least).sorted().toArray();
    double ns = bound ? least[0] : Statistics.quantile(least, 0.5);
    return new Measured(key, ns, least.length, bound);
  }

  private void add(Profile profile) {
    Window window = Window.of(profile);
    for (MeasuredOperator operator : profile.operators()) {
      Transfer transfer = operator.transfer();
      boolean told = transfer.bytes() > 0 && operator.kind() != Kind.OTHER_COMMUNICATION;
      if (operator.kind().isCommunication() && told) {
        Key key = new Key(operator.kind(), transfer.groupSize(), transfer.bytes());
        Map<Object, Seen> of = instances.computeIfAbsent(key, each -> new LinkedHashMap<>());
        int[] order = window.indices(operator.runs()).toArray();
        for (int i = 0; i < order.length; i++) {
          long instance = operator.runs().instance(order[i]);
          Object name =
              instance != 0 ? instance : new InOrder(transfer.group(), transfer.members(), i);
          double ns = (double) operator.runs().durationNs(order[i]);
          of.merge(name, new Seen(ns, 1), (a, b) -> a.and(b.least()));
        }
      }
    }
  }
}
