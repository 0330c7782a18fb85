package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.emit.Toys.DP;
import static org.stage.emit.Toys.allReduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Position;
import org.stage.plan.UnitAction;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work;
import org.stage.state.Work.Message.Way;

/** Actions are letters: a capital one communicates. */
class PassRunTest {
  private record Letter(String name, Moment moment, Work work) implements Action {
    @Override
    public Position.Role role() {
      return Position.Role.FORWARD;
    }
  }

  private final List<String> added = new ArrayList<>();
  private final GraphWriter graph = new GraphWriter();

  private PassRun pass(String letters) {
    return new PassRun(letters.chars().mapToObj(each -> action((char) each)).toList(), this::add);
  }

  private static UnitAction action(char letter) {
    boolean communicates = Character.isUpperCase(letter);
    return action(
        new Letter("" + letter, Moment.FORWARD, communicates ? allReduce(DP, 1) : Toys.KERNEL));
  }

  private static UnitAction action(Action of) {
    return new UnitAction(0, "", of);
  }

  private void add(UnitAction each) {
    added.add(each.name());
    Toys.add(graph, each.name(), Toys.KERNEL, graph.turnDeps(Ids.NONE));
  }

  private String order() {
    return String.join("", added);
  }

  @Test
  void aPassAloneIsAddedAsItIs() {
    pass("aBcDe").all();
    assertThat(order()).isEqualTo("aBcDe");
  }

  /** Shares after each turn: 1/3 to 0, 1/3 to 1/2, 2/3 to 1/2, 2/3 to 1. */
  @Test
  void theOneThatHasCommunicatedLessOfItsShareGoesOn() {
    PassRun.overlap(pass("aBcDe"), pass("vWx"), graph);
    assertThat(order()).isEqualTo("aBvWcDxe");
  }

  /** Shares: 1/2 to 0, 1/4, 2/4; then the first again, as it goes on where both are equal. */
  @Test
  void ofEqualsTheFirstGoesOn() {
    PassRun.overlap(pass("aBc"), pass("tUvWxYz"), graph);
    assertThat(order()).isEqualTo("aBtUvWcxYz");
  }

  @Test
  void whatIsLeftOfOneFollowsWhenTheOtherIsDone() {
    PassRun.overlap(pass("a"), pass("XYz"), graph);
    assertThat(order()).isEqualTo("aXYz");
  }

  @Test
  void passesThatDoNotCommunicateFollowOneAnother() {
    PassRun.overlap(pass("ab"), pass("xy"), graph);
    assertThat(order()).isEqualTo("abxy");
  }

  @Test
  void receivesAndWorkOnStatesAreNoPlacesToChange() {
    Work received = new Work.Message(Way.RECEIVE, "pp", DataType.BF16, 1);
    StateAction gather =
        new StateAction(
            StateAction.Kind.GATHER,
            "G",
            Moment.BEFORE_FORWARD,
            allReduce(DP, 1),
            Optional.empty(),
            List.of());
    List<UnitAction> actions =
        Stream.of(new Letter("R", Moment.FORWARD, received), gather)
            .map(PassRunTest::action)
            .toList();
    PassRun.overlap(new PassRun(actions, this::add), pass("xYz"), graph);
    assertThat(order()).isEqualTo("RGxYz");
  }

  @Test
  void sendsAndTurnsOfARingAre() {
    List<UnitAction> actions =
        Stream.of(Way.SHIFT, Way.SEND)
            .map(way -> new Work.Message(way, "pp", DataType.BF16, 1))
            .map(work -> action(new Letter(work.way().name(), Moment.FORWARD, work)))
            .toList();
    PassRun.overlap(new PassRun(actions, this::add), pass("XY"), graph);
    assertThat(added).containsExactly("SHIFT", "X", "SEND", "Y");
  }

  @Test
  void eachIsAStreamOfItsOwn() {
    graph.beginTurn();
    PassRun.overlap(pass("aBc"), pass("xYz"), graph);
    // Back in the first stream.
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(4));
    graph.beginTurn();
    Toys.kernel(graph, "next");
    assertThat(order()).isEqualTo("aBxYcz");
    assertThat(Shown.of(graph).waits("next")).isEqualTo("data of nothing, behind c z");
  }
}
