package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;
import org.stage.backward.Recomputation;
import org.stage.parallel.PlacedModule;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work;

class UnitPlanTest {
  private static final Set<Moment> WHOLE = Set.of(Moment.INPUT_GRADIENTS, Moment.WEIGHT_GRADIENTS);

  private static UnitPlan recomputing(String... operators) {
    return Units.unit(Units.how(0, Units.again(operators), false));
  }

  private static List<String> backward(UnitPlan plan, Set<Moment> of) {
    return Units.names(plan.backward(of).toList());
  }

  @Test
  void sizesBecomeNumbers() {
    UnitPlan plan = Units.unit(Units.how(1));
    assertThat(plan.states().parameters()).isEqualTo(Map.of("w", 10L));
    assertThat(plan.states().updated()).isEqualTo(5);
    assertThat(plan.matrices()).isEqualTo(Map.of("w", 5L));
  }

  @Test
  void reductionsAreThoseOverReplicasThenThoseInsideAReplica() {
    UnitPlan plan =
        UnitPlan.of(
            Units.placed(
                Units.FORWARD,
                Units.BACKWARD,
                List.of(Units.sync("dp", true), Units.sync("tp", false))),
            Units.NUMBERS,
            Units.how(0));
    List<StateAction> actions = plan.states().actions();
    assertThat(Units.names(actions)).startsWith("grad.all-reduce.dp", "grad.all-reduce.tp");
    assertThat(actions.get(1).work())
        .isEqualTo(
            new Work.Transfer(
                Collective.Kind.ALL_REDUCE,
                new Group.Along(List.of(new SubAxis("tp", 1, 2))),
                DataType.FP32,
                10));
  }

  /** 24 bytes of weights, and 40 of gradients unless they go to a shard at once. */
  @Test
  void gradientsAreAddedUpInPlaceUnlessEachBackwardScattersThem() {
    assertThat(bytesRead(Units.how(1))).isEqualTo(64);
    assertThat(bytesRead(Units.how(2))).isEqualTo(24);
  }

  /** A tied table, whose gradient the head has begun, is added to before it is scattered. */
  @Test
  void aGradientThatAnotherModuleHasBegunIsRead() {
    UnitPlan.How how = Units.how(2);
    assertThat(
            bytesRead(
                new UnitPlan.How(
                    how.zero(),
                    how.update(),
                    how.recomputation(),
                    how.regathered(),
                    how.offloads(),
                    how.weightGradients(),
                    Set.of("w"))))
        .isEqualTo(64);
  }

  /** Bytes that the gradient of w reads. */
  private static long bytesRead(UnitPlan.How how) {
    return Units.unit(how).backward().instructions().stream()
        .filter(each -> each.name().equals("up.w"))
        .mapToLong(each -> ((Work.Kernel) each.work()).bytesRead())
        .sum();
  }

  @Test
  void aBackwardPassCanBeRunWholeOrInParts() {
    UnitPlan plan = Units.unit(Units.how(0));
    assertThat(backward(plan, WHOLE)).containsExactly("up.n", "up.w", "norm.x");
    assertThat(backward(plan, Set.of(Moment.INPUT_GRADIENTS))).containsExactly("up.n", "norm.x");
    assertThat(backward(plan, Set.of(Moment.WEIGHT_GRADIENTS))).containsExactly("up.w");
  }

  @Test
  void whatRunsAgainComesBeforeTheFirstThatReadsOfIt() {
    assertThat(backward(recomputing("norm"), WHOLE))
        .containsExactly("up.n", "norm", "up.w", "norm.x");
  }

  /** The gradient of the weight, which reads it, is computed later. */
  @Test
  void whatNoneOfAPartReadsRunsAgainAtItsEnd() {
    UnitPlan plan = recomputing("norm");
    assertThat(backward(plan, Set.of(Moment.INPUT_GRADIENTS)))
        .containsExactly("up.n", "norm.x", "norm");
    assertThat(backward(plan, Set.of(Moment.WEIGHT_GRADIENTS))).containsExactly("up.w");
  }

  /** Two read it: it comes before the first. */
  @Test
  void whatRunsAgainRunsOnce() {
    PlacedModule backward =
        new Toy()
            .neighbour("y.grad")
            .saved("n", 2)
            .view("part", "n")
            .kernel("one", "y.grad part", "x.grad")
            .kernel("two", "y.grad n", "w.grad")
            .output("x.grad")
            .output("w.grad")
            .module();
    UnitPlan plan =
        UnitPlan.of(
            Units.placed(Units.FORWARD, backward),
            Units.NUMBERS,
            Units.how(0, Units.again("norm"), false));
    assertThat(backward(plan, WHOLE)).containsExactly("norm", "one", "two");
  }

  /** Of x and n, 6 and 7 elements of 2 bytes; not of the parameter, nor of the output. */
  @Test
  void whatBackwardReadsIsKeptButForParameters() {
    UnitPlan plan = Units.unit(Units.how(0));
    assertThat(plan.kept()).containsExactly(0, 2);
    assertThat(plan.keptBytes()).isEqualTo(26);
  }

  @Test
  void whatIsMadeAgainIsNotKept() {
    assertThat(recomputing("norm").kept()).containsExactly(0);
    assertThat(recomputing("norm", "up").kept()).containsExactly(0);
  }

  /** up alone runs again: it reads n, which stays. */
  @Test
  void whatRunsAgainKeepsWhatItReads() {
    PlacedModule backward =
        new Toy()
            .neighbour("y.grad")
            .saved("y", 3)
            .kernel("y.x", "y.grad y", "x.grad")
            .output("x.grad")
            .module();
    assertThat(kept(backward, Units.again("up"))).containsExactly(2);
    assertThat(kept(backward, Recomputation.NONE)).containsExactly(3);
    // n is made again too, and nothing but what runs again reads it.
    assertThat(kept(backward, new Recomputation(Set.of("norm", "up"), Set.of("y"))))
        .containsExactly(0);
  }

  /** Although made again, it is kept for an operator outside. */
  @Test
  void whatBackwardReadsAndIsNotReplacedIsKept() {
    assertThat(kept(Units.BACKWARD, new Recomputation(Set.of("norm"), Set.of())))
        .containsExactly(0, 2);
  }

  private static Set<Integer> kept(PlacedModule backward, Recomputation recomputation) {
    return UnitPlan.of(
            Units.placed(Units.FORWARD, backward),
            Units.NUMBERS,
            Units.how(0, recomputation, false))
        .kept();
  }

  /** The memory is kept once, under the value that it was made as. */
  @Test
  void aViewIsKeptAsWhatItIsAPartOf() {
    PlacedModule forward =
        new Toy()
            .neighbour("x")
            .view("q", "x")
            .view("k", "x")
            .kernel("core", "q k", "y")
            .output("y")
            .module();
    PlacedModule backward =
        new Toy()
            .neighbour("y.grad")
            .saved("q", 1)
            .saved("k", 2)
            .kernel("core.x", "y.grad q k", "x.grad")
            .output("x.grad")
            .module();
    UnitPlan plan = UnitPlan.of(Units.placed(forward, backward), Units.NUMBERS, Units.how(0));
    assertThat(plan.kept()).containsExactly(0);
    assertThat(plan.keptBytes()).isEqualTo(12);
  }

  @Test
  void whatIsKeptMayGoToHostMemoryAndComeBack() {
    UnitPlan plan = Units.unit(Units.how(0, Recomputation.NONE, true));
    assertThat(plan.offload())
        .containsExactly(
            new Instruction(
                "offload",
                Moment.AFTER_FORWARD,
                new Work.HostCopy(true, 26),
                List.of(0, 2),
                List.of()),
            new Instruction(
                "reload",
                Moment.BEFORE_BACKWARD,
                new Work.HostCopy(false, 26),
                List.of(),
                List.of(0, 2)));
    assertThat(Units.names(plan.offload(Moment.AFTER_FORWARD).toList())).containsExactly("offload");
    assertThat(Units.names(plan.offload(Moment.BEFORE_BACKWARD).toList()))
        .containsExactly("reload");
    assertThat(Units.unit(Units.how(0)).offload()).isEmpty();
  }

  @Test
  void allItsActionsAreThoseOfPassesThenThoseOfStates() {
    UnitPlan plan = Units.unit(Units.how(0, Units.again("norm"), true));
    assertThat(Units.names(plan.actions()))
        .containsExactly(
            "norm",
            "up",
            "norm",
            "up.n",
            "up.w",
            "norm.x",
            "offload",
            "reload",
            "grad.all-reduce.dp",
            "adam");
  }

  /** A module whose product reads a part of what norm makes. */
  private static final PlacedModule PARTS =
      new Toy()
          .neighbour("x")
          .kernel("norm", "x", "n 7")
          .view("m 7", "n")
          .kernel("up", "m", "y 8")
          .output("y")
          .module();

  @Test
  void whatRunsAgainComesBeforeTheFirstThatReadsAPartOfIt() {
    PlacedModule backward =
        new Toy()
            .neighbour("y.grad")
            .saved("m", 2)
            .kernel("up.m", "y.grad", "m.grad")
            .kernel("up.w", "y.grad m", "w.grad")
            .output("w.grad")
            .module();
    UnitPlan plan =
        UnitPlan.of(
            Units.placed(PARTS, backward), Units.NUMBERS, Units.how(0, Units.again("norm"), false));
    assertThat(backward(plan, WHOLE)).containsExactly("up.m", "norm", "up.w");
    assertThat(plan.kept()).containsExactly(0);
  }

  @Test
  void whatRunsAgainKeepsTheWholeOfWhichItReadsAPart() {
    PlacedModule backward =
        new Toy().neighbour("y.grad").saved("y", 3).kernel("y.x", "y.grad y", "x.grad").module();
    UnitPlan plan =
        UnitPlan.of(
            Units.placed(PARTS, backward), Units.NUMBERS, Units.how(0, Units.again("up"), false));
    assertThat(plan.kept()).containsExactly(1);
  }
}
