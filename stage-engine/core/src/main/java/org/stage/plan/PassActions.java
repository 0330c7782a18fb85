package org.stage.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.stage.api.workload.DataType;
import org.stage.schedule.Pass;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work.Message.Way;

/**
 * The actions of a pass of one micro-batch through a chunk, in order: what comes in, then module by
 * module what it needs gathered or reloaded, its program, and what becomes of its gradients; what
 * goes on to the next chunk as soon as it is there.
 *
 * <p>Gradients that are reduced once a step are reduced behind the last communication of the pass:
 * an engine with one slot for communication would hold up the passes of other stages, and the
 * module's own tensor parallelism, for something that nobody waits for yet.
 *
 * @param units the modules of the stage
 * @param prefetch for how many modules ahead ZeRO-3 gathers parameters
 * @param boundary data type of what passes between chunks
 * @param boundaryElements elements of it
 */
record PassActions(
    List<StepPlan.Unit> units, int prefetch, DataType boundary, long boundaryElements) {
  /** How many modules ahead what the last step updated is gathered, where that overlaps. */
  private static final int GATHERED_AHEAD = 1;

  /** How many modules ahead of the one that computes are reloaded, as they fill memory. */
  private static final int RELOADED_AHEAD = 1;

  /**
   * Its messages.
   *
   * @param arrives whether one comes from another stage
   * @param leaves whether one goes to another stage
   */
  record Ends(boolean arrives, boolean leaves) {}

  /**
   * Those of a pass.
   *
   * @param order indices of the chunk's modules in the order of the pass
   * @param ends its messages
   * @param reduces whether gradients that the last micro-batch completes are reduced in it
   */
  List<UnitAction> of(Pass pass, List<Integer> order, Ends ends, boolean reduces) {
    boolean forward = pass == Pass.FORWARD;
    List<UnitAction> all = new ArrayList<>();
    message(all, ends.arrives() && isAwaited(pass), Way.RECEIVE, forward, order.get(0));
    for (int i = 0; i < order.size(); i++) {
      if (forward) {
        ahead(all, order, i, GATHERED_AHEAD, plan -> gathers(plan, Moment.BEFORE_FIRST_FORWARD));
        ahead(all, order, i, prefetch, plan -> gathers(plan, Moment.BEFORE_FORWARD));
      } else if (pass.isBackward()) {
        ahead(all, order, i, prefetch, plan -> gathers(plan, Moment.BEFORE_BACKWARD));
        ahead(all, order, i, RELOADED_AHEAD, plan -> plan.offload(Moment.BEFORE_BACKWARD));
      }
      add(all, order.get(i), program(pass, plan(order.get(i))));
      // The stage before waits for this; the gradients of its own last module can wait.
      boolean last = i == order.size() - 1;
      message(all, last && ends.leaves() && isAwaited(pass), Way.SEND, forward, order.get(i));
      if (pass.completes()) {
        add(all, order.get(i), plan(order.get(i)).states().ofCompleteGradients());
      }
      if (reduces) {
        add(all, order.get(i), plan(order.get(i)).states().at(Moment.AFTER_LAST_BACKWARD).stream());
      }
    }
    return reduces ? behindCommunication(all) : all;
  }

  /** The same, but what is reduced once a step stands behind all that communicates. */
  private static List<UnitAction> behindCommunication(List<UnitAction> actions) {
    int last = -1;
    for (int i = 0; i < actions.size(); i++) {
      last = actions.get(i).communicates() ? i : last;
    }
    List<UnitAction> ordered = new ArrayList<>();
    List<UnitAction> held = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      UnitAction each = actions.get(i);
      (i < last && isOfLastBackward(each) ? held : ordered).add(each);
      if (i == last) {
        ordered.addAll(held);
      }
    }
    return ordered;
  }

  private static boolean isOfLastBackward(UnitAction each) {
    return each.action().moment() == Moment.AFTER_LAST_BACKWARD;
  }

  /** Whether another stage waits for what the pass makes; nobody waits for weight gradients. */
  private static boolean isAwaited(Pass pass) {
    return pass != Pass.WEIGHT_GRADIENTS;
  }

  private static Stream<Instruction> program(Pass pass, UnitPlan plan) {
    return switch (pass) {
      case FORWARD ->
          Stream.concat(plan.forward().instructions().stream(), plan.offload(Moment.AFTER_FORWARD));
      case BACKWARD -> plan.backward(Set.of(Moment.INPUT_GRADIENTS, Moment.WEIGHT_GRADIENTS));
      case INPUT_GRADIENTS -> plan.backward(Set.of(Moment.INPUT_GRADIENTS));
      case WEIGHT_GRADIENTS -> plan.backward(Set.of(Moment.WEIGHT_GRADIENTS));
    };
  }

  /**
   * Adds what the module needs that comes {@code distance} after the {@code i}th, before that one
   * computes; before the first, what all up to it need.
   */
  private void ahead(
      List<UnitAction> all,
      List<Integer> order,
      int i,
      int distance,
      Function<UnitPlan, Stream<? extends Action>> needs) {
    for (int next = i == 0 ? 0 : i + distance;
        next <= Math.min(i + distance, order.size() - 1);
        next++) {
      add(all, order.get(next), needs.apply(plan(order.get(next))));
    }
  }

  private static Stream<StateAction> gathers(UnitPlan plan, Moment moment) {
    return plan.states().at(moment).stream();
  }

  private void message(List<UnitAction> all, boolean there, Way way, boolean forward, int unit) {
    if (there) {
      Action message = BoundaryMessage.of(way, forward, boundary, boundaryElements);
      all.add(new UnitAction(unit, "", message));
    }
  }

  private void add(List<UnitAction> all, int unit, Stream<? extends Action> actions) {
    actions.forEach(action -> all.add(new UnitAction(unit, units.get(unit).name(), action)));
  }

  private UnitPlan plan(int unit) {
    return units.get(unit).plan();
  }
}
