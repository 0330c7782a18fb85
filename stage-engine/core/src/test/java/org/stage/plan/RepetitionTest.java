package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Recomputation;
import org.stage.parallel.PlacedModule;
import org.stage.state.Moment;

class RepetitionTest {
  /** What runs again for a backward pass that reads these values of a module. */
  private static RecomputedOperators of(
      PlacedModule module, Set<String> operators, Set<String> tensors, Set<Integer> read) {
    Program forward = Program.of(module, Units.NUMBERS, parameter -> true);
    return Repetition.of(
        forward,
        module,
        new Recomputation(operators, tensors),
        read,
        v ->
            Units.NUMBERS.evenBytes(
                module.values().get(v).element(), module.values().get(v).elements()));
  }

  /** Of operators of which nothing is kept. */
  private static RecomputedOperators of(
      PlacedModule module, Set<String> operators, Set<Integer> read) {
    Set<String> tensors = new HashSet<>();
    module.steps().stream()
        .filter(step -> operators.contains(step.origin()))
        .forEach(step -> step.writes().forEach(value -> tensors.add(value.tensor())));
    return of(module, operators, tensors, read);
  }

  private static List<String> again(PlacedModule module, Set<Integer> read, String... operators) {
    return Units.names(of(module, Set.of(operators), read).instructions());
  }

  /** {@code a}, a collective on what it writes, and {@code b}, which reads what that makes. */
  private static PlacedModule between(Collective.Kind kind) {
    return between(kind, 6);
  }

  private static PlacedModule between(Collective.Kind kind, int moved) {
    return new Toy()
        .neighbour("x")
        .kernel("a", "x", "y")
        .transfer(kind, "tp", "y", "y:moved " + moved)
        .kernel("b", "y:moved", "z")
        .module();
  }

  @Test
  void kernelsRunAgainInTheirOrderAsPartsOfBackward() {
    RecomputedOperators again = of(Units.FORWARD, Set.of("up", "norm"), Set.of(0, 2));
    assertThat(Units.names(again.instructions())).containsExactly("norm", "up");
    assertThat(again.instructions()).allMatch(each -> each.moment() == Moment.RECOMPUTATION);
  }

  @Test
  void nothingRunsAgainUnlessAsked() {
    RecomputedOperators none = of(Units.FORWARD, Set.of(), Set.of("n", "y"), Set.of(0, 2));
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
            .kernel("core.2", "core", "o k:next", "p")
            .kernel("other", "p", "q")
            .module();
    assertThat(again(ring, Set.of(0, 3), "core")).containsExactly("core.1", "core", "core.2");
  }

  @Test
  void whatCompletesASumBelongsToTheKernelBefore() {
    for (Collective.Kind kind :
        List.of(Collective.Kind.ALL_REDUCE, Collective.Kind.REDUCE_SCATTER)) {
      assertThat(again(between(kind), Set.of(0, 2), "a")).containsExactly("a", "y.moved");
    }
  }

  @Test
  void whatOnlyMovesRunsAgainForAKernelThatDoes() {
    Set<Integer> read = Set.of(0, 1, 3);
    assertThat(again(between(Collective.Kind.ALL_GATHER), read, "a")).containsExactly("a");
    for (Collective.Kind kind : List.of(Collective.Kind.ALL_GATHER, Collective.Kind.ALL_TO_ALL)) {
      assertThat(again(between(kind), read, "a", "b")).containsExactly("a", "y.moved", "b");
    }
  }

  /** The shard is kept, the gathered tensor is not. */
  @Test
  void whatIsGatheredOfAKeptShardIsGatheredAgain() {
    PlacedModule module = between(Collective.Kind.ALL_GATHER, 12);
    assertThat(again(module, Set.of(1, 3), "b")).containsExactly("y.moved", "b");
    // Neither is kept: the smaller one will be.
    PlacedModule large =
        new Toy()
            .neighbour("x")
            .kernel("a", "x", "y 6")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "y", "y:moved 12")
            .kernel("b", "y:moved", "z 7")
            .module();
    assertThat(again(large, Set.of(3), "b")).containsExactly("y.moved", "b");
  }

  @Test
  void whatIsKeptInTheFormThatAKernelReadsIsNotMovedAgain() {
    for (Collective.Kind kind :
        List.of(
            Collective.Kind.ALL_GATHER, Collective.Kind.ALL_REDUCE, Collective.Kind.ALL_TO_ALL)) {
      assertThat(again(between(kind), Set.of(2, 3), "b")).containsExactly("b");
    }
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
    Set<Integer> read = Set.of(0, 1, 5);
    assertThat(again(module, read, "a", "b"))
        .containsExactly("a", "v.all-to-all", "v.all-gather", "b");
    assertThat(again(module, read, "a")).containsExactly("a");
  }

  @Test
  void whatIsMadeAgainIsNotKept() {
    assertThat(of(Units.FORWARD, Set.of("norm"), Set.of(0, 2)).replaced()).containsExactly(2);
  }

  @Test
  void whatIsMadeAgainIsReplacedInTheFormThatBackwardReads() {
    for (Collective.Kind kind : List.of(Collective.Kind.ALL_REDUCE, Collective.Kind.ALL_GATHER)) {
      assertThat(of(between(kind), Set.of("a"), Set.of(0, 2)).replaced()).containsExactly(2);
    }
    assertThat(of(between(Collective.Kind.ALL_GATHER), Set.of("a"), Set.of(0, 1)).replaced())
        .containsExactly(1);
  }

  /** The attention core: it runs again for what it keeps inside. */
  @Test
  void whatOthersReadCanStayKeptAlthoughItIsMadeAgain() {
    PlacedModule core =
        new Toy().neighbour("x").kernel("s", "x", "p").kernel("o", "p", "y").module();
    RecomputedOperators again = of(core, Set.of("s", "o"), Set.of("p"), Set.of(0, 1, 2));
    assertThat(Units.names(again.instructions())).containsExactly("s", "o");
    assertThat(again.replaced()).containsExactly(1);
  }

  @Test
  void whatNobodyReadsIsNotMadeAgain() {
    RecomputedOperators again = of(Units.FORWARD, Set.of("up"), Set.of(0, 2));
    assertThat(again).isEqualTo(RecomputedOperators.NONE);
  }

  @Test
  void theLastKernelOfAFunctionRunsAgainWithTheRestOfIt() {
    PlacedModule module =
        new Toy().neighbour("x").kernel("a", "x", "y").kernel("b", "y", "z").module();
    assertThat(again(module, Set.of(0, 1), "a", "b")).containsExactly("a", "b");
  }

  /** But not if more would be kept for it: an addition, of which gradients need nothing. */
  @Test
  void whatNobodyReadsDoesNotMakeAnythingKept() {
    PlacedModule module =
        new Toy()
            .neighbour("x")
            .kernel("other", "x", "r")
            .kernel("a", "x", "y")
            .kernel("add", "y r", "z")
            .module();
    RecomputedOperators again = of(module, Set.of("a", "add"), Set.of(0, 2));
    assertThat(Units.names(again.instructions())).containsExactly("a");
    assertThat(again.replaced()).containsExactly(2);
  }

  @Test
  void whatWouldKeepAsMuchAsItFreesDoesNotRunAgain() {
    for (int kept : List.of(5, 6, 7)) {
      PlacedModule module =
          new Toy().neighbour("x").kernel("a", "x", "y " + kept).kernel("b", "y", "z 6").module();
      assertThat(again(module, Set.of(2), "b")).isEqualTo(kept < 6 ? List.of("b") : List.of());
    }
  }

  @Test
  void instructionsOfTheForwardPassKnowWhetherTheyRunAgain() {
    Program forward = Program.of(Units.FORWARD, Units.NUMBERS, parameter -> true);
    RecomputedOperators again = of(Units.FORWARD, Set.of("norm"), Set.of(0, 2));
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
    assertThat(again(module, Set.of(0, 4), "a", "b")).containsExactly("a", "y.all-gather", "b");
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
    assertThat(again(module, Set.of(0, 1, 3, 4), "a", "b")).containsExactly("a", "b");
  }

  @Test
  void partsAreWhatHangsTogether() {
    PlacedModule module =
        new Toy()
            .neighbour("x")
            .kernel("a", "x", "y")
            .kernel("between", "y", "z")
            .kernel("b", "z", "p")
            .kernel("c", "y", "q")
            .module();
    RecomputedOperators again = of(module, Set.of("a", "b", "c"), Set.of(0, 1, 2, 3, 4));
    Program forward = Program.of(module, Units.NUMBERS, parameter -> true);
    assertThat(again.parts(forward).stream().map(Units::names))
        .containsExactly(List.of("a", "c"), List.of("b"));
  }
}
