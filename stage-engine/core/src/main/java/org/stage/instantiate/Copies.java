package org.stage.instantiate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.arithmetic.Sums;

/**
 * Adds up the gradients of the two copies that DualPipe keeps of each module, one on a rank and one
 * on its mirror image: as its data-parallel reductions are cut, and after them, of whole gradients
 * or, where ZeRO scatters them, of this rank's shards.
 */
public final class Copies {
  private Copies() {}

  /**
   * The all-reduces of a module.
   *
   * @param plan the module
   * @param pair the two ranks
   * @param zero how its gradients are sharded and cut
   * @param type data type of gradients
   */
  static List<Sync> of(UnitPlan plan, Group pair, Zero zero, DataType type) {
    List<Sync> syncs = new ArrayList<>();
    Map<String, Long> whole = new LinkedHashMap<>(plan.parameters());
    Exchange exchange = plan.exchange();
    Stream.concat(exchange.eachBackward().stream(), exchange.lastBackward().stream())
        .filter(sync -> sync.of() == Sync.Of.GRADIENTS_TO_SHARD)
        .forEach(
            sync -> {
              syncs.add(shard(sync, pair));
              sync.parameters().forEach(whole::remove);
            });
    long elements = Sums.of(whole.values());
    if (elements > 0) {
      Sync all =
          new Sync(
              Collective.Kind.ALL_REDUCE,
              elements,
              type,
              pair,
              Sync.Of.GRADIENTS,
              List.copyOf(whole.keySet()),
              0);
      zero.cut(all, plan.parameters(), 1).forEach(syncs::add);
    }
    return List.copyOf(syncs);
  }

  private static Sync shard(Sync scatter, Group pair) {
    return new Sync(
        Collective.Kind.ALL_REDUCE,
        scatter.elements() / scatter.group().size(),
        scatter.type(),
        pair,
        Sync.Of.GRADIENT_SHARD,
        List.of(),
        scatter.buffer());
  }

  /** The name of one of them in the job. */
  public static String name(String unit, Sync sync) {
    return unit + "." + Exchange.reduction(sync) + ".copies";
  }

  /** By what its duration is known: those of a module share a name, but not a size. */
  public static String key(String name, Sync sync) {
    return name + "#" + sync.elements();
  }
}
