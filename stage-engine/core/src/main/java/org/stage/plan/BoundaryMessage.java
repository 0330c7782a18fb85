package org.stage.plan;

import org.stage.api.workload.DataType;
import org.stage.api.workload.Position;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.Work;
import org.stage.state.Work.Message.Way;

/**
 * One end of a message between pipeline stages: the output of a chunk, or the gradient of its
 * input.
 *
 * @param name its name: {@code send.forward}
 * @param moment in which pass
 * @param work what it takes
 */
public record BoundaryMessage(String name, Moment moment, Work.Message work) implements Action {
  static BoundaryMessage of(Way way, boolean forward, DataType type, long elements) {
    String name = (way == Way.SEND ? "send." : "recv.") + (forward ? "forward" : "backward");
    Moment moment = forward ? Moment.FORWARD : Moment.INPUT_GRADIENTS;
    return new BoundaryMessage(
        name, moment, new Work.Message(way, StepPlans.PIPELINE, type, elements));
  }

  @Override
  public Position.Role role() {
    return Position.Role.STAGE_BOUNDARY;
  }

  /** Whether it is an output, and not the gradient of an input. */
  public boolean isForward() {
    return moment == Moment.FORWARD;
  }
}
