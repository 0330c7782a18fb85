package org.stage.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.arithmetic.Sums;

/**
 * Adds up the gradients of the two copies that DualPipe keeps of each module, one on a rank and one
 * on its mirror image: as its data-parallel reductions are cut, and after them, of whole gradients
 * or, where ZeRO scatters them, of this rank's shards.
 */
public final class MirroredModules {
  private static final String SUFFIX = ".copies";

  private MirroredModules() {}

  /** The all-reduces of a module over {@code pair}, the two ranks. */
  public static List<StateAction> reductions(ModuleStates states, Group pair, Zero zero) {
    List<StateAction> reductions = new ArrayList<>();
    Map<String, Long> whole = new LinkedHashMap<>(states.parameters());
    for (StateAction scatter : states.actions()) {
      if (scatter.scatters() && scatter.work() instanceof Work.Transfer transfer) {
        long part = transfer.elements() / transfer.group().size();
        FlatBuffer buffer = scatter.flatBuffer();
        reductions.add(buffer.reduceShard(Moment.AFTER_REDUCTION, part, pair, SUFFIX));
        scatter.parameters().forEach(whole::remove);
      }
    }
    long elements = Sums.of(whole.values());
    if (elements > 0) {
      Reduction all =
          new Reduction(
              Collective.Kind.ALL_REDUCE,
              elements,
              zero.precision().gradients(),
              pair,
              List.copyOf(whole.keySet()));
      zero.cut(all, states.parameters())
          .forEach(each -> reductions.add(each.onWhole(Moment.AFTER_REDUCTION, SUFFIX)));
    }
    return List.copyOf(reductions);
  }
}
