package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.Work;
import org.stage.state.Work.Message.Way;

/** What actions are called, when they are done, and how long they take. */
class ActionsTest {
  private static final Work COPY = new Work.HostCopy(true, 1);
  private static final Instruction UP =
      new Instruction("up", Moment.FORWARD, COPY, List.of(1), List.of(2));

  @Test
  void aMessageIsAnOutputOrTheGradientOfAnInput() {
    assertThat(BoundaryMessage.of(Way.SEND, true, DataType.BF16, 8))
        .isEqualTo(
            new BoundaryMessage(
                "send.forward",
                Moment.FORWARD,
                new Work.Message(Way.SEND, "pp", DataType.BF16, 8)));
    BoundaryMessage back = BoundaryMessage.of(Way.RECEIVE, false, DataType.FP32, 9);
    assertThat(back)
        .isEqualTo(
            new BoundaryMessage(
                "recv.backward",
                Moment.INPUT_GRADIENTS,
                new Work.Message(Way.RECEIVE, "pp", DataType.FP32, 9)));
    assertThat(back.isForward()).isFalse();
    assertThat(BoundaryMessage.of(Way.SEND, true, DataType.BF16, 8).isForward()).isTrue();
  }

  @Test
  void anActionIsNamedByItsPlaceIfItHasOne() {
    assertThat(new UnitAction(1, "layers.17", UP).name()).isEqualTo("layers.17.up");
    assertThat(new UnitAction(1, "", UP).name()).isEqualTo("up");
  }

  @Test
  void anInstructionAtAnotherMomentIsElseTheSame() {
    assertThat(UP.at(Moment.RECOMPUTATION))
        .isEqualTo(new Instruction("up", Moment.RECOMPUTATION, COPY, List.of(1), List.of(2)));
  }

  @Test
  void durationsAreAskedForOnceAnAction() {
    StepPlan stage = ToyJobs.toy(ToyJobs.job(2, "dp: 2", "global_batch: 2")).stepPlans().get(0);
    List<String> asked = new ArrayList<>();
    Durations durations =
        (of, unit, action) -> {
          asked.add(of.stage() + " " + unit + " " + action.name());
          return action == UP ? OptionalLong.of(7) : OptionalLong.empty();
        };
    Function<Action, Details> details = durations.details(stage, "layers.1");
    assertThat(details.apply(UP)).isEqualTo(Details.ofDuration(7));
    assertThat(details.apply(UP)).isEqualTo(Details.ofDuration(7));
    // Equal, but another one.
    assertThat(details.apply(UP.at(Moment.FORWARD))).isEqualTo(Details.NONE);
    assertThat(asked).containsExactly("0 layers.1 up", "0 layers.1 up");
    assertThat(Durations.NONE.details(stage, "").apply(UP)).isEqualTo(Details.NONE);
  }
}
