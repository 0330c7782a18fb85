package org.stage.calibrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private record Seen(double least, int ranks) {}

  /** Of one run. */
  static List<Measured> of(ProfileSet run) {
    Map<Key, List<Seen>> seen = new LinkedHashMap<>();
    for (Pairing.Instance instance : Pairing.of(run)) {
      List<Pairing.Part> counting = instance.parts().stream().filter(Pairing.Part::counts).toList();
      Transfer transfer = instance.described().transfer();
      boolean told = transfer.bytes() > 0 && instance.kind() != Kind.OTHER_COMMUNICATION;
      if (told && !counting.isEmpty()) {
        Pairing.Instance counted = new Pairing.Instance(instance.kind(), counting);
        Key key = new Key(instance.kind(), transfer.groupSize(), transfer.bytes());
        seen.computeIfAbsent(key, each -> new ArrayList<>())
            .add(new Seen((double) counted.shortest().durationNs(), counted.ranks()));
      }
    }
    List<Measured> measured = new ArrayList<>();
    seen.forEach((key, each) -> measured.add(measured(key, each)));
    return measured;
  }

  private static Measured measured(Key key, List<Seen> seen) {
    List<Seen> shared = seen.stream().filter(each -> each.ranks() > 1).toList();
    boolean bound = shared.isEmpty();
    double[] least = (bound ? seen : shared).stream().mapToDouble(Seen::least).sorted().toArray();
    double ns = bound ? least[0] : Statistics.quantile(least, 0.5);
    return new Measured(key, ns, least.length, bound);
  }
}
