package org.stage.state;

import java.util.List;
import java.util.Optional;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.state.StateAction.Kind;

/** A table that the first and the last stage hold, each with a gradient of its own. */
public final class TiedTable {
  private TiedTable() {}

  /**
   * Adds up the two gradients. Where only shards outlive a micro-batch, shards are exchanged; else
   * whole gradients, as Megatron does whatever its optimizer shards.
   *
   * @param owner the module of the stage that holds it
   * @param table its name
   * @param stages the two
   * @param gradients data type of gradients
   */
  public static StateAction reduction(
      ModuleStates owner, String table, Group stages, DataType gradients) {
    Optional<FlatBuffer> shards =
        owner.scattersEachBackward() ? owner.buffers().stream().findFirst() : Optional.empty();
    long whole = owner.parameters().getOrDefault(table, 0L);
    long elements =
        shards.map(each -> FlatBuffer.shard(whole, each.sharers().size())).orElse(whole);
    return new StateAction(
        shards.isPresent() ? Kind.REDUCE_SHARD : Kind.REDUCE,
        "tied.all-reduce",
        Moment.AFTER_REDUCTION,
        new Work.Transfer(Collective.Kind.ALL_REDUCE, stages, gradients, elements),
        shards,
        shards.isPresent() ? List.of() : List.of(table));
  }
}
