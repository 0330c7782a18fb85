package org.stage.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.arithmetic.Sums;

/**
 * Parameters, gradients and optimizer states of a module on one device, and what becomes of them in
 * a step.
 *
 * @param parameters elements on this device of each parameter that it owns, in order, before ZeRO
 *     shards them
 * @param buffers the flat buffers that ranks share out; none where nothing is sharded
 * @param update what this rank's update costs
 * @param actions what becomes of them in a step, moment by moment; but for the norm of gradients
 *     and what stages exchange
 */
public record ModuleStates(
    Map<String, Long> parameters,
    List<FlatBuffer> buffers,
    OptimizerCost update,
    List<StateAction> actions) {
  /** Copies all; parameters keep their order. */
  public ModuleStates {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    buffers = List.copyOf(buffers);
    actions = List.copyOf(actions);
  }

  /**
   * The states of a module.
   *
   * @param inside reductions of its gradients inside a replica
   * @param replicas those over replicas
   * @param regathered whether ZeRO-3 gathers its parameters again for backward
   */
  public static ModuleStates of(
      Map<String, Long> parameters,
      List<Reduction> inside,
      List<Reduction> replicas,
      Zero zero,
      boolean regathered,
      ParameterUpdate update) {
    List<FlatBuffer> buffers = zero.buffers(replicas, parameters);
    List<StateAction> actions =
        new ArrayList<>(zero.actions(inside, replicas, buffers, parameters, regathered));
    long updated = updated(parameters, buffers);
    OptimizerCost cost = OptimizerCost.of(update.kind(), zero.precision(), updated);
    if (updated > 0) {
      actions.addAll(update.actions(cost));
      actions.addAll(zero.afterUpdate(buffers));
    }
    return new ModuleStates(parameters, buffers, cost, actions);
  }

  private static long updated(Map<String, Long> parameters, List<FlatBuffer> buffers) {
    long saved = Sums.of(buffers.stream().mapToLong(each -> each.elements() - each.shard()));
    return Sums.of(parameters.values()) - saved;
  }

  /** Elements that this rank updates: all it holds, or its shard of them. */
  public long updated() {
    return updated(parameters, buffers);
  }

  /** Elements of its parameters, before ZeRO shards them. */
  public long elements() {
    return Sums.of(parameters.values());
  }

  /** What is done at a moment, in order. */
  public List<StateAction> at(Moment moment) {
    return actions.stream().filter(action -> action.moment() == moment).toList();
  }

  /** What is done when gradients are complete: of a micro-batch, and then of the last. */
  public Stream<StateAction> ofCompleteGradients() {
    return actions.stream()
        .filter(action -> action.moment().compareTo(Moment.AFTER_BACKWARD) >= 0)
        .filter(action -> action.moment().compareTo(Moment.AFTER_LAST_BACKWARD) <= 0);
  }

  /** Whether each backward pass scatters its gradients, so that only shards outlive it. */
  public boolean scattersEachBackward() {
    return !at(Moment.AFTER_BACKWARD).isEmpty();
  }

  /** Whether parameters are gathered for each backward pass anew. */
  public boolean gathersTwice() {
    return !at(Moment.BEFORE_BACKWARD).isEmpty();
  }

  /** Whether the parameters are gathered once, and stay for the backward pass. */
  public boolean keepsGathered() {
    return !at(Moment.BEFORE_FORWARD).isEmpty() && !gathersTwice();
  }
}
