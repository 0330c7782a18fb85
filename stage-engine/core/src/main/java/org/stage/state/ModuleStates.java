package org.stage.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
      actions.addAll(zero.ofUpdate(buffers));
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

  /** Elements of the parameters of which other ranks hold copies, and which they share out. */
  public long shared() {
    return Sums.of(buffers.stream().mapToLong(FlatBuffer::elements));
  }

  /** What is done at a moment, in order. */
  public List<StateAction> at(Moment moment) {
    return actions.stream().filter(action -> action.moment() == moment).toList();
  }

  /** What is done when a micro-batch's gradients are complete. */
  public Stream<StateAction> ofCompleteGradients() {
    return actions.stream()
        .filter(action -> action.moment().compareTo(Moment.AFTER_BACKWARD) >= 0)
        .filter(action -> action.moment().compareTo(Moment.AFTER_LATER_BACKWARD) <= 0);
  }

  /** Elements of its parameters that this rank holds between steps: whole ones and its shards. */
  public long held() {
    long more =
        Sums.of(
            gathers(each -> each.moment().isBetweenSteps())
                .mapToLong(each -> whole(each) - ((Work.Transfer) each.work()).elements()));
    return Math.addExact(updated(), more);
  }

  /** Elements of parameters that are gathered for a forward pass. */
  public long gathered() {
    return Sums.of(
        gathers(each -> each.moment() == Moment.BEFORE_FORWARD).mapToLong(ModuleStates::whole));
  }

  private Stream<StateAction> gathers(Predicate<StateAction> some) {
    return actions.stream().filter(each -> each.gathers() && some.test(each));
  }

  private static long whole(StateAction gather) {
    return gather.flatBuffer().elements(gather.parameters());
  }

  /** Whether each backward pass scatters its gradients, so that only shards outlive it. */
  public boolean scattersEachBackward() {
    return actions.stream().anyMatch(each -> each.kind() == StateAction.Kind.SCATTER_AND_FREE);
  }

  /** The same of the gradient of one parameter; of one without copies it is accumulated whole. */
  public boolean scattersEachBackward(String parameter) {
    return actions.stream()
        .filter(each -> each.kind() == StateAction.Kind.SCATTER_AND_FREE)
        .anyMatch(each -> each.parameters().contains(parameter));
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
