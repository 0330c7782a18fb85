package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Recomputation;
import org.stage.parallel.PlacedModule;
import org.stage.state.Moment;

class RecomputedOperatorsTest {
  private static RecomputedOperators of(PlacedModule module, Set<String> operators, Set<String> t) {
    Program forward = Program.of(module, Units.NUMBERS, true);
    return RecomputedOperators.of(forward, module, new Recomputation(operators, t));
  }

  private static List<String> again(PlacedModule module, String... operators) {
    return Units.names(of(module, Set.of(operators), Set.of()).instructions());
  }

  /** {@code a}, a collective on what it writes, and {@code b}, which reads what that makes. */
  private static PlacedModule between(Collective.Kind kind) {
    return new Toy()
        .neighbour("x")
        .kernel("a", "x", "y")
        .transfer(kind, "tp", "y", "y:moved")
        .kernel("b", "y:moved", "z")
        .module();
  }

  @Test
  void kernelsRunAgainInTheirOrderAsPartsOfBackward() {
    RecomputedOperators again = of(Units.FORWARD, Set.of("up", "norm"), Set.of());
    assertThat(Units.names(again.instructions())).containsExactly("norm", "up");
    assertThat(again.instructions()).allMatch(each -> each.moment() == Moment.RECOMPUTATION);
  }

  @Test
  void nothingRunsAgainUnlessAsked() {
    RecomputedOperators none = of(Units.FORWARD, Set.of(), Set.of("n", "y"));
    assertThat(none.instructions()).isEmpty();
    assertThat(none.replaced()).isEmpty();
  }

  @Test
  void allKernelsOfAnOperatorRunAgain() {
    PlacedModule ring =
        new Toy()
            .neighbour("k")
            .kernel("core.1", "core", "k", "o")
            .shift("core", "cp", "k", "k:next")
            .kernel("core.2", "core", "k:next", "p")
            .kernel("other", "p", "q")
            .module();
    assertThat(again(ring, "core")).containsExactly("core.1", "core", "core.2");
  }

  @Test
  void whatCompletesASumBelongsToTheKernelBefore() {
    assertThat(again(between(Collective.Kind.ALL_REDUCE), "a")).containsExactly("a", "y.moved");
    assertThat(again(between(Collective.Kind.REDUCE_SCATTER), "a")).containsExactly("a", "y.moved");
  }

  @Test
  void whatOnlyMovesRunsAgainForAKernelThatDoes() {
    assertThat(again(between(Collective.Kind.ALL_GATHER), "a")).containsExactly("a");
    assertThat(again(between(Collective.Kind.ALL_GATHER), "a", "b"))
        .containsExactly("a", "y.moved", "b");
    assertThat(again(between(Collective.Kind.ALL_TO_ALL), "a", "b"))
        .containsExactly("a", "y.moved", "b");
  }

  /** Its input is kept in the form that the kernel reads. */
  @Test
  void collectivesOnWhatIsKeptDoNotRunAgain() {
    assertThat(again(between(Collective.Kind.ALL_GATHER), "b")).containsExactly("b");
    assertThat(again(between(Collective.Kind.ALL_REDUCE), "b")).containsExactly("b");
  }

  @Test
  void collectivesOnTheWayRunAgainThroughOthersAndThroughViews() {
    PlacedModule module =
        new Toy()
            .neighbour("x")
            .kernel("a", "x", "y")
            .view("v", "y")
            .transfer(Collective.Kind.ALL_TO_ALL, "ep", "v", "v:all-to-all")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "v:all-to-all", "v:all-gather")
            .kernel("b", "v:all-gather", "z")
            .module();
    assertThat(again(module, "a", "b")).containsExactly("a", "v.all-to-all", "v.all-gather", "b");
    assertThat(again(module, "a")).containsExactly("a");
  }

  @Test
  void whatIsMadeAgainIsNotKept() {
    assertThat(of(Units.FORWARD, Set.of("norm"), Set.of("n")).replaced()).containsExactly(2);
    // An operator outside reads it.
    assertThat(of(Units.FORWARD, Set.of("norm"), Set.of()).replaced()).isEmpty();
  }

  @Test
  void allFormsThatAreMadeAgainAreReplaced() {
    assertThat(of(between(Collective.Kind.ALL_REDUCE), Set.of("a"), Set.of("y")).replaced())
        .containsExactlyInAnyOrder(1, 2);
    assertThat(of(between(Collective.Kind.ALL_GATHER), Set.of("a"), Set.of("y")).replaced())
        .containsExactly(1);
  }

  @Test
  void instructionsOfTheForwardPassKnowWhetherTheyRunAgain() {
    Program forward = Program.of(Units.FORWARD, Units.NUMBERS, true);
    RecomputedOperators again = of(Units.FORWARD, Set.of("norm"), Set.of());
    assertThat(forward.instructions().stream().map(again::repeats)).containsExactly(true, false);
    assertThat(again.repeats(again.instructions().get(0))).isFalse();
  }

  @Test
  void collectivesRunAgainForAKernelThatReadsAPartOfTheirResult() {
    PlacedModule module =
        new Toy()
            .neighbour("x")
            .kernel("a", "x", "y")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "y", "y:all-gather")
            .view("v", "y:all-gather")
            .kernel("b", "v", "z")
            .module();
    assertThat(again(module, "a", "b")).containsExactly("a", "y.all-gather", "b");
  }

  /** What that writes is kept. */
  @Test
  void collectivesDoNotRunAgainForAKernelThatDoesNot() {
    PlacedModule module =
        new Toy()
            .neighbour("x")
            .kernel("a", "x", "y")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "y", "y:all-gather")
            .kernel("between", "y:all-gather", "z")
            .kernel("b", "z", "q")
            .module();
    assertThat(again(module, "a", "b")).containsExactly("a", "b");
  }
}
