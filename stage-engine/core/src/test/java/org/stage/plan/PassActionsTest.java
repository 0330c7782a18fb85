package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.backward.Recomputation;
import org.stage.plan.PassActions.Ends;
import org.stage.schedule.Pass;
import org.stage.state.Moment;
import org.stage.state.Work;
import org.stage.state.Work.Message.Way;

/** Three modules {@code a}, {@code b} and {@code c} of one parameter each. */
class PassActionsTest {
  private static final List<Integer> ORDER = List.of(0, 1, 2);
  private static final List<Integer> REVERSE = List.of(2, 1, 0);
  private static final Ends BOTH = new Ends(true, true);

  private static PassActions actions(UnitPlan.How how, int prefetch) {
    UnitPlan plan = Units.unit(how);
    List<StepPlan.Unit> units =
        Stream.of("a", "b", "c").map(name -> new StepPlan.Unit(name, plan)).toList();
    return new PassActions(units, prefetch, DataType.BF16, 8);
  }

  /** Names of actions between messages, of gathers and copies only their module and what. */
  private static List<String> names(PassActions actions, Pass pass) {
    List<Integer> order = pass == Pass.FORWARD ? ORDER : REVERSE;
    return names(actions.of(pass, order, BOTH, pass.completes()));
  }

  private static List<String> names(List<UnitAction> actions) {
    return actions.stream()
        .map(each -> each.name().replace("parameters.all-gather", "gather"))
        .map(name -> name.replace("grad.reduce-scatter.dp", "scatter"))
        .toList();
  }

  @Test
  void aForwardPassRunsModuleByModuleBetweenMessages() {
    assertThat(names(actions(Units.how(0), 1), Pass.FORWARD))
        .containsExactly(
            "recv.forward", "a.norm", "a.up", "b.norm", "b.up", "c.norm", "c.up", "send.forward");
  }

  @Test
  void messagesBelongToTheModulesThatTheyEnterAndLeave() {
    List<UnitAction> forward = actions(Units.how(0), 1).of(Pass.FORWARD, ORDER, BOTH, false);
    Work.Message in = new Work.Message(Way.RECEIVE, "pp", DataType.BF16, 8);
    Work.Message out = new Work.Message(Way.SEND, "pp", DataType.BF16, 8);
    assertThat(forward.get(0))
        .isEqualTo(new UnitAction(0, "", new BoundaryMessage("recv.forward", Moment.FORWARD, in)));
    assertThat(forward.get(7))
        .isEqualTo(new UnitAction(2, "", new BoundaryMessage("send.forward", Moment.FORWARD, out)));
    List<UnitAction> backward = actions(Units.how(0), 1).of(Pass.BACKWARD, REVERSE, BOTH, true);
    assertThat(backward.get(0).unit()).isEqualTo(2);
    assertThat(backward.get(0).action().moment()).isEqualTo(Moment.INPUT_GRADIENTS);
  }

  @Test
  void withoutNeighboursThereAreNoMessages() {
    PassActions actions = actions(Units.how(0), 1);
    assertThat(names(actions.of(Pass.FORWARD, ORDER, new Ends(false, true), false)))
        .startsWith("a.norm")
        .endsWith("send.forward");
    assertThat(names(actions.of(Pass.FORWARD, ORDER, new Ends(true, false), false)))
        .startsWith("recv.forward")
        .endsWith("c.up");
    assertThat(names(actions.of(Pass.BACKWARD, REVERSE, new Ends(false, false), true)))
        .startsWith("c.up.n")
        .doesNotContain("recv.backward", "send.backward");
  }

  /** The stage before waits for the message, and nobody yet for the sums. */
  @Test
  void gradientsOfAStepAreReducedBehindAllThatThePassCommunicates() {
    assertThat(names(actions(Units.how(0), 1), Pass.BACKWARD))
        .containsExactly(
            "recv.backward",
            "c.up.n",
            "c.up.w",
            "c.norm.x",
            "b.up.n",
            "b.up.w",
            "b.norm.x",
            "a.up.n",
            "a.up.w",
            "a.norm.x",
            "send.backward",
            "c.grad.all-reduce.dp",
            "b.grad.all-reduce.dp",
            "a.grad.all-reduce.dp");
  }

  @Test
  void whereNothingIsSentTheyAreReducedAsTheyAreComplete() {
    List<UnitAction> first =
        actions(Units.how(0), 1).of(Pass.BACKWARD, REVERSE, new Ends(true, false), true);
    assertThat(names(first))
        .containsExactly(
            "recv.backward",
            "c.up.n",
            "c.up.w",
            "c.norm.x",
            "c.grad.all-reduce.dp",
            "b.up.n",
            "b.up.w",
            "b.norm.x",
            "b.grad.all-reduce.dp",
            "a.up.n",
            "a.up.w",
            "a.norm.x",
            "a.grad.all-reduce.dp");
  }

  /** They are reduced elsewhere. */
  @Test
  void aPassThatIsNotTheLastToCommunicateReducesNothing() {
    List<UnitAction> pass = actions(Units.how(0), 1).of(Pass.BACKWARD, REVERSE, BOTH, false);
    assertThat(names(pass)).noneMatch(name -> name.contains("all-reduce"));
  }

  @Test
  void whatTheLastStepUpdatedIsGatheredOneModuleAhead() {
    UnitPlan.How how = Units.gathersFirst();
    assertThat(names(actions(how, 3), Pass.FORWARD).stream().filter(n -> !n.endsWith("up")))
        .containsExactly(
            "recv.forward",
            "a.gather",
            "b.gather",
            "a.norm",
            "c.gather",
            "b.norm",
            "c.norm",
            "send.forward");
    assertThat(names(actions(how, 3), Pass.BACKWARD)).noneMatch(name -> name.contains("gather"));
  }

  @Test
  void inputGradientsAreWaitedForAndCompleteNothing() {
    assertThat(names(actions(Units.how(0), 1), Pass.INPUT_GRADIENTS))
        .containsExactly(
            "recv.backward",
            "c.up.n",
            "c.norm.x",
            "b.up.n",
            "b.norm.x",
            "a.up.n",
            "a.norm.x",
            "send.backward");
  }

  @Test
  void weightGradientsAreCompleteAndNobodyWaitsForThem() {
    assertThat(names(actions(Units.how(2), 1), Pass.WEIGHT_GRADIENTS))
        .containsExactly(
            "c.up.w",
            "c.scatter",
            "c.scatter.accumulate",
            "b.up.w",
            "b.scatter",
            "b.scatter.accumulate",
            "a.up.w",
            "a.scatter",
            "a.scatter.accumulate");
  }

  private static List<String> forwardGathers(int prefetch) {
    return names(actions(Units.how(3), prefetch), Pass.FORWARD).stream()
        .filter(name -> name.endsWith("gather") || name.endsWith("norm"))
        .toList();
  }

  @Test
  void parametersAreGatheredAheadAsFarAsAsked() {
    assertThat(forwardGathers(0))
        .containsExactly("a.gather", "a.norm", "b.gather", "b.norm", "c.gather", "c.norm");
    assertThat(forwardGathers(1))
        .containsExactly("a.gather", "b.gather", "a.norm", "c.gather", "b.norm", "c.norm");
    assertThat(forwardGathers(2))
        .containsExactly("a.gather", "b.gather", "c.gather", "a.norm", "b.norm", "c.norm");
    assertThat(forwardGathers(9)).isEqualTo(forwardGathers(2));
  }

  @Test
  void parametersAreGatheredAgainInTheOrderOfBackward() {
    assertThat(names(actions(Units.how(3), 1), Pass.INPUT_GRADIENTS))
        .containsExactly(
            "recv.backward",
            "c.gather.backward",
            "b.gather.backward",
            "c.up.n",
            "c.norm.x",
            "a.gather.backward",
            "b.up.n",
            "b.norm.x",
            "a.up.n",
            "a.norm.x",
            "send.backward");
    assertThat(names(actions(Units.how(3), 1), Pass.BACKWARD))
        .startsWith("recv.backward", "c.gather.backward", "b.gather.backward", "c.up.n");
    assertThat(names(actions(Units.how(3), 1), Pass.WEIGHT_GRADIENTS))
        .noneMatch(name -> name.contains("gather"));
  }

  private static PassActions offloading(int zero, int prefetch) {
    return actions(Units.how(zero, Recomputation.NONE, true), prefetch);
  }

  @Test
  void whatAModuleKeepsGoesToHostMemoryBehindIt() {
    assertThat(names(offloading(0, 1), Pass.FORWARD))
        .containsExactly(
            "recv.forward",
            "a.norm",
            "a.up",
            "a.offload",
            "b.norm",
            "b.up",
            "b.offload",
            "c.norm",
            "c.up",
            "c.offload",
            "send.forward");
  }

  /** Whatever is gathered ahead. */
  @Test
  void oneModuleAheadIsReloaded() {
    assertThat(names(offloading(0, 0), Pass.INPUT_GRADIENTS))
        .containsExactly(
            "recv.backward",
            "c.reload",
            "b.reload",
            "c.up.n",
            "c.norm.x",
            "a.reload",
            "b.up.n",
            "b.norm.x",
            "a.up.n",
            "a.norm.x",
            "send.backward");
    assertThat(names(offloading(3, 2), Pass.BACKWARD))
        .startsWith(
            "recv.backward",
            "c.gather.backward",
            "b.gather.backward",
            "a.gather.backward",
            "c.reload",
            "b.reload",
            "c.up.n");
    assertThat(names(offloading(0, 0), Pass.WEIGHT_GRADIENTS))
        .noneMatch(name -> name.contains("reload"));
  }

  @Test
  void whatRunsAgainRunsInTheModulesBackwardPass() {
    PassActions actions = actions(Units.how(0, Units.again("norm"), false), 1);
    assertThat(names(actions, Pass.BACKWARD))
        .startsWith("recv.backward", "c.up.n", "c.norm", "c.up.w", "c.norm.x");
    assertThat(names(actions, Pass.WEIGHT_GRADIENTS)).doesNotContain("c.norm");
  }

  /** a has nothing before it, b lies whole on each rank, and c in host memory. */
  @Test
  void eachModuleRunsByItsOwnPlan() {
    PassActions actions =
        new PassActions(
            List.of(
                new StepPlan.Unit("a", Units.first(Units.how(3))),
                new StepPlan.Unit("b", Units.unit(Units.how(0))),
                new StepPlan.Unit("c", Units.unit(Units.how(3, Recomputation.NONE, true)))),
            1,
            DataType.BF16,
            8);
    assertThat(names(actions.of(Pass.FORWARD, ORDER, new Ends(false, false), false)))
        .containsExactly(
            "a.gather", "a.table", "c.gather", "b.norm", "b.up", "c.norm", "c.up", "c.offload");
    assertThat(names(actions.of(Pass.BACKWARD, REVERSE, new Ends(false, false), true)))
        .containsExactly(
            "c.gather.backward",
            "c.reload",
            "c.up.n",
            "c.up.w",
            "c.norm.x",
            "c.scatter",
            "c.scatter.accumulate",
            "a.gather.backward",
            "b.up.n",
            "b.up.w",
            "b.norm.x",
            "b.grad.all-reduce.dp",
            "a.table.w",
            "a.scatter",
            "a.scatter.accumulate");
  }
}
