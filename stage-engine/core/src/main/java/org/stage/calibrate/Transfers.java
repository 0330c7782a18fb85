package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Transfer;

/**
 * How long collectives and sends take by themselves. What one rank measures is waiting for the
 * others and transfer together, and the last rank to come waits for nobody: so each instance takes
 * the minimum over its ranks. Where only one rank was measured, the shortest run is the best bound.
 */
final class Transfers {
  private Transfers() {}

  /**
   * What makes transfers equal.
   *
   * @param kind the collective
   * @param groupSize ranks that take part
   * @param span how far apart the first and the last of them are, themselves included; 0 if the
   *     profile does not say
   * @param bytes this rank's input
   */
  record Key(Kind kind, int groupSize, int span, long bytes) {}

  /**
   * Measured transfers of one kind, group and size.
   *
   * @param key what they have in common
   * @param ns how long the transfer takes
   * @param count instances, or runs where instances are not told apart
   * @param bound whether only one rank was seen, so that waiting may be in it
   * @param places the same by module and ranks, if the profile tells modules
   */
  record Measured(Key key, double ns, int count, boolean bound, Map<Place, Double> places) {}

  /**
   * Where a transfer was measured.
   *
   * @param module the module
   * @param ranks the ranks that measured it
   */
  record Place(String module, Set<Integer> ranks) {}

  private record Seen(double least, int ranks) {}

  /** Of one run. */
  static List<Measured> of(ProfileSet run) {
    Map<Key, List<Seen>> seen = new LinkedHashMap<>();
    Map<Key, Map<Place, List<Seen>>> places = new HashMap<>();
    for (Pairing.Instance instance : Pairing.of(run)) {
      List<Pairing.Part> counting = instance.parts().stream().filter(Pairing.Part::counts).toList();
      MeasuredOperator described = instance.described();
      Transfer transfer = described.transfer();
      boolean told = transfer.bytes() > 0 && instance.kind() != Kind.OTHER_COMMUNICATION;
      if (told && !counting.isEmpty()) {
        Pairing.Instance counted = new Pairing.Instance(instance.kind(), counting);
        Key key = new Key(instance.kind(), transfer.groupSize(), span(transfer), transfer.bytes());
        Seen one = new Seen((double) counted.shortest().durationNs(), counted.ranks());
        seen.computeIfAbsent(key, each -> new ArrayList<>()).add(one);
        if (!described.module().isEmpty()) {
          Set<Integer> ranks =
              counting.stream().map(Pairing.Part::rank).collect(Collectors.toUnmodifiableSet());
          places
              .computeIfAbsent(key, each -> new LinkedHashMap<>())
              .computeIfAbsent(new Place(described.module(), ranks), each -> new ArrayList<>())
              .add(one);
        }
      }
    }
    List<Measured> measured = new ArrayList<>();
    seen.forEach(
        (key, each) -> measured.add(measured(key, each, places.getOrDefault(key, Map.of()))));
    return measured;
  }

  private static int span(Transfer transfer) {
    List<Integer> members = transfer.members();
    return members.size() == transfer.groupSize() && !members.isEmpty()
        ? Collections.max(members) - Collections.min(members) + 1
        : 0;
  }

  private static Measured measured(Key key, List<Seen> seen, Map<Place, List<Seen>> at) {
    Map<Place, Double> places = new LinkedHashMap<>();
    at.forEach((place, there) -> places.put(place, ns(there)));
    List<Seen> shared = shared(seen);
    int count = shared.isEmpty() ? seen.size() : shared.size();
    return new Measured(key, ns(seen), count, shared.isEmpty(), places);
  }

  private static List<Seen> shared(List<Seen> seen) {
    return seen.stream().filter(each -> each.ranks() > 1).toList();
  }

  private static double ns(List<Seen> seen) {
    List<Seen> shared = shared(seen);
    boolean bound = shared.isEmpty();
    double[] least = (bound ? seen : shared).stream().mapToDouble(Seen::least).sorted().toArray();
    return bound ? least[0] : Statistics.quantile(least, 0.5);
  }
}
