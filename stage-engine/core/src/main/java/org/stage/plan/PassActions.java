package org.stage.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.stage.api.workload.DataType;
import org.stage.schedule.Pass;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.Work.Message.Way;

/**
 * The actions of a pass of one micro-batch through a chunk, in order: what comes in, then module by
 * module what it needs gathered or reloaded, its program, and what becomes of its gradients; what
 * goes on to the next chunk as soon as it is there.
 *
 * @param units the modules of the stage
 * @param prefetch for how many modules ahead ZeRO-3 gathers parameters
 * @param boundary data type of what passes between chunks
 * @param boundaryElements elements of it
 */
record PassActions(
    List<StepPlan.Unit> units, int prefetch, DataType boundary, long boundaryElements) {
  /**
   * Those of a pass.
   *
   * @param order indices of the chunk's modules in the order of the pass
   * @param arrives whether a message comes from another stage
   * @param leaves whether one goes to another stage
   */
  List<UnitAction> of(Pass pass, List<Integer> order, boolean arrives, boolean leaves) {
    return switch (pass) {
      case FORWARD -> forward(order, arrives, leaves);
      case WEIGHT_GRADIENTS -> weightGradients(order);
      default -> backward(order, arrives, leaves, pass.completes());
    };
  }

  private List<UnitAction> forward(List<Integer> order, boolean arrives, boolean leaves) {
    List<UnitAction> all = new ArrayList<>();
    message(all, arrives, Way.RECEIVE, true, order.get(0));
    for (int i = 0; i < order.size(); i++) {
      gatherAhead(all, order, i, Moment.BEFORE_FORWARD);
      UnitPlan plan = plan(order.get(i));
      add(all, order.get(i), plan.forward().instructions());
      add(all, order.get(i), offload(plan, Moment.AFTER_FORWARD));
    }
    message(all, leaves, Way.SEND, true, order.get(order.size() - 1));
    return all;
  }

  private List<UnitAction> backward(
      List<Integer> order, boolean arrives, boolean leaves, boolean whole) {
    Set<Moment> of =
        whole
            ? Set.of(Moment.INPUT_GRADIENTS, Moment.WEIGHT_GRADIENTS)
            : Set.of(Moment.INPUT_GRADIENTS);
    List<UnitAction> all = new ArrayList<>();
    message(all, arrives, Way.RECEIVE, false, order.get(0));
    for (int i = 0; i < order.size(); i++) {
      gatherAhead(all, order, i, Moment.BEFORE_BACKWARD);
      reloadAhead(all, order, i);
      add(all, order.get(i), plan(order.get(i)).backward(of));
      // The stage before waits for this; the gradients of its own last module can wait.
      message(all, leaves && i == order.size() - 1, Way.SEND, false, order.get(i));
      if (whole) {
        reduce(all, order.get(i));
      }
    }
    return all;
  }

  private List<UnitAction> weightGradients(List<Integer> order) {
    List<UnitAction> all = new ArrayList<>();
    for (int unit : order) {
      add(all, unit, plan(unit).backward(Set.of(Moment.WEIGHT_GRADIENTS)));
      reduce(all, unit);
    }
    return all;
  }

  /**
   * Gathers the parameters of the module that comes {@code prefetch} after the {@code i}th, before
   * that one computes; before the first, those of all up to it.
   */
  private void gatherAhead(List<UnitAction> all, List<Integer> order, int i, Moment moment) {
    int from = i == 0 ? 0 : i + prefetch;
    IntStream.rangeClosed(from, Math.min(i + prefetch, order.size() - 1))
        .forEach(next -> add(all, order.get(next), plan(order.get(next)).states().at(moment)));
  }

  /**
   * Brings back what the module behind the {@code i}th reads, and before the first also its own.
   */
  private void reloadAhead(List<UnitAction> all, List<Integer> order, int i) {
    IntStream.rangeClosed(i == 0 ? 0 : i + 1, Math.min(i + 1, order.size() - 1))
        .forEach(
            next ->
                add(all, order.get(next), offload(plan(order.get(next)), Moment.BEFORE_BACKWARD)));
  }

  private static List<Instruction> offload(UnitPlan plan, Moment moment) {
    return plan.offload().stream().filter(copy -> copy.moment() == moment).toList();
  }

  private void reduce(List<UnitAction> all, int unit) {
    add(
        all,
        unit,
        plan(unit).states().actions().stream()
            .filter(
                action ->
                    action.moment().compareTo(Moment.AFTER_BACKWARD) >= 0
                        && action.moment().compareTo(Moment.AFTER_LAST_BACKWARD) <= 0)
            .toList());
  }

  private void message(List<UnitAction> all, boolean there, Way way, boolean forward, int unit) {
    if (there) {
      all.add(
          new UnitAction(unit, "", BoundaryMessage.of(way, forward, boundary, boundaryElements)));
    }
  }

  private void add(List<UnitAction> all, int unit, List<? extends Action> actions) {
    actions.forEach(action -> all.add(new UnitAction(unit, units.get(unit).name(), action)));
  }

  private UnitPlan plan(int unit) {
    return units.get(unit).plan();
  }
}
