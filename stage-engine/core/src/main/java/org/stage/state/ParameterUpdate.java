package org.stage.state;

import java.util.ArrayList;
import java.util.List;
import org.stage.job.Optimizer;
import org.stage.job.Training;
import org.stage.state.StateAction.Kind;

/**
 * How a rank updates its parameters.
 *
 * @param kind the optimizer
 * @param offloaded whether its states lie in host memory before and after
 */
public record ParameterUpdate(Optimizer.Kind kind, boolean offloaded) {
  /** That of a training step. */
  public static ParameterUpdate of(Training training) {
    boolean offloaded = training.offload() == Training.Offload.OPTIMIZER;
    return new ParameterUpdate(training.optimizer().kind(), offloaded);
  }

  List<StateAction> actions(OptimizerCost cost) {
    List<StateAction> actions = new ArrayList<>();
    boolean moves = offloaded && cost.stateBytes() > 0;
    if (moves) {
      actions.add(copy(Kind.LOAD_STATES, cost, ".reload"));
    }
    Work update =
        Work.Kernel.elementwise(cost.operator(), cost.otherFlops(), cost.reads(), cost.writes());
    actions.add(StateAction.of(Kind.UPDATE, cost.operator(), Moment.UPDATE, update));
    if (moves) {
      actions.add(copy(Kind.STORE_STATES, cost, ".offload"));
    }
    return actions;
  }

  private static StateAction copy(Kind kind, OptimizerCost cost, String suffix) {
    Work work = new Work.HostCopy(kind == Kind.STORE_STATES, cost.stateBytes());
    return StateAction.of(kind, cost.operator() + suffix, Moment.UPDATE, work);
  }
}
