package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.emit.Toys.KERNEL;
import static org.stage.emit.Toys.MIXED;
import static org.stage.emit.Toys.kernel;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.TensorType;
import org.stage.job.Optimizer;
import org.stage.job.Shardings;
import org.stage.parallel.Value;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.Program.Variable;
import org.stage.plan.RecomputedOperators;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitPlan;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.ParameterUpdate;
import org.stage.state.Work;
import org.stage.state.Zero;

/**
 * A module that makes {@code u = x w} of 4 elements and {@code a = f(u)}: its gradients need {@code
 * u} and {@code x}.
 */
class UnitEmitterTest {
  private static final int X = 0;
  private static final int W = 1;
  private static final int U = 2;
  private static final int A = 3;
  private static final int SUM = 4;

  private static final Program FORWARD =
      new Program(
          List.of(
              step("up", Moment.FORWARD, KERNEL, List.of(X, W), U),
              step("act", Moment.FORWARD, KERNEL, List.of(U), A)),
          List.of(
              variable("x", "", new Value.Source.Neighbour()),
              variable("w", "", new Value.Source.Given()),
              variable("u", "", new Value.Source.Step(0)),
              variable("a", "", new Value.Source.Step(1)),
              variable("a.sum", "", new Value.Source.Step(2))),
          Map.of("a", A));

  private static final Program BACKWARD =
      new Program(
          List.of(
              step("act.grad", Moment.INPUT_GRADIENTS, KERNEL, List.of(0, 1), 2),
              step("up.dgrad", Moment.INPUT_GRADIENTS, KERNEL, List.of(2, 3), 4),
              step("up.wgrad", Moment.WEIGHT_GRADIENTS, KERNEL, List.of(2, 5), 6)),
          List.of(
              variable("a.grad", "", new Value.Source.Neighbour()),
              variable("u", "", new Value.Source.Saved(U)),
              variable("u.grad", "", new Value.Source.Step(0)),
              variable("w", "", new Value.Source.Given()),
              variable("x.grad", "", new Value.Source.Step(1)),
              variable("x", "", new Value.Source.Saved(X)),
              variable("w.grad", "w", new Value.Source.Step(2))),
          Map.of("x.grad", 4, "w.grad", 6));

  private final GraphWriter graph = new GraphWriter();

  @BeforeEach
  void begin() {
    graph.beginTurn();
  }

  private static Instruction step(
      String name, Moment moment, Work work, List<Integer> reads, int write) {
    return new Instruction(name, moment, work, reads, List.of(write));
  }

  private static Variable variable(String name, String parameter, Value.Source source) {
    DataType type = parameter.isEmpty() ? DataType.BF16 : DataType.FP32;
    return new Variable(name, name, TensorType.vector(4, type), parameter, source);
  }

  private UnitEmitter emitter(RecomputedOperators again, List<Instruction> offload) {
    return emitter(BACKWARD, again, offload);
  }

  private UnitEmitter emitter(
      Program backward, RecomputedOperators again, List<Instruction> offload) {
    ModuleStates states =
        ModuleStates.of(
            Map.of("w", 4L),
            List.of(),
            List.of(),
            new Zero(0, 1, 1, Shardings.atOnce(0), Shardings.GATHERED, MIXED),
            false,
            new ParameterUpdate(Optimizer.Kind.SGD, false));
    UnitPlan plan = new UnitPlan(FORWARD, backward, again, offload, states, Map.of());
    return new UnitEmitter(
        new StepPlan.Unit("layers.0", plan),
        new StateEmitter("layers.0", states, plan.parameterTypes(), MIXED, graph),
        graph,
        action -> action.name().equals("up") ? Details.ofDuration(5) : Details.NONE,
        microBatch -> made("in" + microBatch),
        microBatch -> made("behind" + microBatch));
  }

  private UnitEmitter emitter() {
    return emitter(new RecomputedOperators(List.of(), Set.of()), List.of());
  }

  /** A tensor that a node of its own writes. */
  private TensorRef made(String name) {
    TensorRef tensor = graph.written(name, TensorType.vector(4, DataType.BF16));
    Toys.add(graph, "make." + name, new Work.HostCopy(false, 8), Ids.NONE);
    return tensor;
  }

  private static void run(UnitEmitter unit, Program program, int microBatch) {
    program.instructions().forEach(each -> unit.add(each, microBatch));
  }

  private Shown shown() {
    return Shown.of(graph);
  }

  @Test
  void aKernelReadsWhatTheModuleBeforeHandsOnAndParameters() {
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 3);
    assertThat(shown().tensors("mb3.layers.0.up"))
        .isEqualTo("layers.0.w:8 in3:8 -> mb3.layers.0.u:8");
    assertThat(shown().waits("mb3.layers.0.up")).isEqualTo("data of make.in3, behind nothing");
    assertThat(shown().tensors("mb3.layers.0.act"))
        .isEqualTo("mb3.layers.0.u:8 -> mb3.layers.0.a:8");
    assertThat(shown().waits("mb3.layers.0.act"))
        .isEqualTo("data of mb3.layers.0.up, behind nothing");
    assertThat(unit.output(3).writer()).isEqualTo(Ids.of(2));
  }

  @Test
  void aNodeHasTheDurationThatIsKnownOfItsAction() {
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 0);
    run(unit, FORWARD, 1);
    assertThat(shown().node("mb0.layers.0.up").header().details().durationNs())
        .isEqualTo(OptionalLong.of(5));
    assertThat(shown().node("mb1.layers.0.up").header().details()).isEqualTo(Details.ofDuration(5));
    assertThat(shown().node("mb0.layers.0.act").header().details()).isEqualTo(Details.NONE);
  }

  @Test
  void aBackwardPassReadsWhatItsForwardPassKept() {
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 0);
    run(unit, FORWARD, 1);
    run(unit, BACKWARD, 0);
    assertThat(shown().tensors("mb0.layers.0.act.grad"))
        .isEqualTo("mb0.layers.0.u:8 behind0:8 -> mb0.layers.0.u.grad:8");
    assertThat(shown().waits("mb0.layers.0.act.grad"))
        .isEqualTo("data of mb0.layers.0.up make.behind0, behind nothing");
    assertThat(shown().tensors("mb0.layers.0.up.dgrad"))
        .isEqualTo("layers.0.w:8 mb0.layers.0.u.grad:8 -> mb0.layers.0.x.grad:8");
    assertThat(unit.inputGradient(0).writer())
        .isEqualTo(Ids.of(shown().at("mb0.layers.0.up.dgrad")));
    assertThat(shown().node("mb0.layers.0.up.dgrad").phase()).isEqualTo(Phase.BACKWARD);
  }

  @Test
  void gradientsOfAParameterAreAddedWhereTheyLieMicroBatchByMicroBatch() {
    UnitEmitter unit = emitter();
    for (int microBatch = 0; microBatch < 2; microBatch++) {
      run(unit, FORWARD, microBatch);
      run(unit, BACKWARD, microBatch);
    }
    assertThat(shown().tensors("mb0.layers.0.up.wgrad"))
        .isEqualTo("in0:8 mb0.layers.0.u.grad:8 -> layers.0.w.grad#1:16");
    assertThat(shown().tensors("mb1.layers.0.up.wgrad"))
        .isEqualTo("layers.0.w.grad#1:16 in1:8 mb1.layers.0.u.grad:8 -> layers.0.w.grad#2:16");
    assertThat(shown().waits("mb1.layers.0.up.wgrad"))
        .isEqualTo("data of mb0.layers.0.up.wgrad make.in1 mb1.layers.0.act.grad, behind nothing");
  }

  @Test
  void aCollectiveWaitsForItsInputAndNotForTheSchedule() {
    Work sum = Toys.allReduce(Toys.DP, 4);
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 0);
    graph.beginTurn();
    unit.add(step("a.all-reduce", Moment.FORWARD, sum, List.of(A), SUM), 0);
    String name = "mb0.layers.0.a.all-reduce";
    assertThat(shown().tensors(name)).isEqualTo("mb0.layers.0.a:8 -> mb0.layers.0.a.sum:8");
    assertThat(shown().waits(name)).isEqualTo("data of mb0.layers.0.act, behind nothing");
    assertThat(shown().node(name)).isInstanceOf(Node.Collective.class);
  }

  @Test
  void aTurnOfARingPostsItsReceiveAndThenSends() {
    Work shift = new Work.Message(Work.Message.Way.SHIFT, "cp", DataType.BF16, 4);
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 0);
    unit.add(step("a.shift", Moment.FORWARD, shift, List.of(U), SUM), 0);
    String receive = "mb0.layers.0.a.shift.recv";
    String send = "mb0.layers.0.a.shift.send";
    assertThat(shown().names()).endsWith(receive, send);
    assertThat(shown().tensors(receive)).isEqualTo("nothing -> mb0.layers.0.a.sum:8");
    assertThat(shown().waits(receive)).isEqualTo("data of nothing, behind mb0.layers.0.act");
    assertThat(shown().tensors(send)).isEqualTo("mb0.layers.0.u:8 -> nothing");
    assertThat(shown().waits(send)).isEqualTo("data of mb0.layers.0.up, behind nothing");
    Node.Recv comes = (Node.Recv) shown().node(receive);
    Node.Send goes = (Node.Send) shown().node(send);
    // From the rank before, to the one behind; of the next turn's messages the tag is another.
    assertThat(List.of(comes.peer().text(), goes.peer().text())).containsExactly("cp:-1", "cp:+1");
    assertThat(List.of(comes.tag(), goes.tag(), graph.nextTag())).containsExactly(0, 0, 1);
    assertThat(comes.bytes()).isEqualTo(8);
    assertThat(goes.bytes()).isEqualTo(8);
  }

  @Test
  void whatIsKeptGoesToHostMemoryAndIsReadWhereItComesBack() {
    Work away = new Work.HostCopy(true, 16);
    Work back = new Work.HostCopy(false, 16);
    Instruction store =
        new Instruction("offload", Moment.AFTER_FORWARD, away, List.of(X, U), List.of());
    Instruction load =
        new Instruction("reload", Moment.BEFORE_BACKWARD, back, List.of(), List.of(X, U));
    UnitEmitter unit = emitter(new RecomputedOperators(List.of(), Set.of()), List.of(store, load));
    run(unit, FORWARD, 0);
    unit.add(store, 0);
    graph.beginTurn();
    kernel(graph, "last");
    unit.add(load, 0);
    run(unit, BACKWARD, 0);
    assertThat(shown().tensors("mb0.layers.0.offload"))
        .isEqualTo("in0:8 mb0.layers.0.u:8 -> nothing");
    assertThat(shown().waits("mb0.layers.0.offload"))
        .isEqualTo("data of make.in0 mb0.layers.0.up, behind nothing");
    assertThat(shown().tensors("mb0.layers.0.reload"))
        .isEqualTo("nothing -> mb0.layers.0.x.reloaded:8 mb0.layers.0.u.reloaded:8");
    // Once it is away, and the last kernel has freed the place.
    assertThat(shown().waits("mb0.layers.0.reload"))
        .isEqualTo("data of mb0.layers.0.offload, behind last");
    assertThat(shown().tensors("mb0.layers.0.act.grad"))
        .isEqualTo("mb0.layers.0.u.reloaded:8 behind0:8 -> mb0.layers.0.u.grad:8");
    assertThat(shown().tensors("mb0.layers.0.up.wgrad")).startsWith("mb0.layers.0.x.reloaded:8 ");
  }

  @Test
  void whatRunsAgainWaitsForTheGradientFromBehindAndIsReadInPlaceOfWhatRanBefore() {
    Instruction again = step("up", Moment.RECOMPUTATION, KERNEL, List.of(X, W), U);
    UnitEmitter unit = emitter(new RecomputedOperators(List.of(again), Set.of(U)), List.of());
    run(unit, FORWARD, 0);
    graph.beginTurn();
    unit.add(again, 0);
    run(unit, BACKWARD, 0);
    String name = "mb0.layers.0.up.recompute";
    assertThat(shown().node(name).phase()).isEqualTo(Phase.RECOMPUTE);
    assertThat(shown().tensors(name)).isEqualTo("layers.0.w:8 in0:8 -> mb0.layers.0.u.recompute:8");
    assertThat(shown().waits(name))
        .isEqualTo("data of make.in0, behind mb0.layers.0.act make.behind0");
    assertThat(shown().tensors("mb0.layers.0.act.grad"))
        .isEqualTo("behind0:8 mb0.layers.0.u.recompute:8 -> mb0.layers.0.u.grad:8");
  }

  @Test
  void whatRunsAgainReadsParametersWhereTheyAreNow() {
    Instruction again = step("up", Moment.RECOMPUTATION, KERNEL, List.of(X, W), U);
    UnitEmitter unit = emitter(new RecomputedOperators(List.of(again), Set.of(U)), List.of());
    run(unit, FORWARD, 0);
    unit.states().parameter("w").gathered(made("gathered"));
    unit.add(again, 0);
    assertThat(shown().tensors("mb0.layers.0.up.recompute"))
        .isEqualTo("in0:8 gathered:8 -> mb0.layers.0.u.recompute:8");
  }

  /** A loss: no gradient comes from behind. */
  @Test
  void whatRunsAgainInTheLastModuleWaitsForTheScheduleAlone() {
    Instruction again = step("up", Moment.RECOMPUTATION, KERNEL, List.of(X, W), U);
    Program backward =
        new Program(
            List.of(step("u.grad", Moment.INPUT_GRADIENTS, KERNEL, List.of(0), 1)),
            List.of(
                variable("u", "", new Value.Source.Saved(U)),
                variable("x.grad", "", new Value.Source.Step(0))),
            Map.of("x.grad", 1));
    UnitEmitter unit =
        emitter(backward, new RecomputedOperators(List.of(again), Set.of(U)), List.of());
    run(unit, FORWARD, 0);
    graph.beginTurn();
    unit.add(again, 0);
    assertThat(shown().waits("mb0.layers.0.up.recompute"))
        .isEqualTo("data of make.in0, behind mb0.layers.0.act");
  }

  @Test
  void whatRunsInTheBackwardPassAloneDoesNotWaitForTheGradientFromBehind() {
    Instruction cast = step("w.cast", Moment.INPUT_GRADIENTS, KERNEL, List.of(3), 2);
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 0);
    graph.beginTurn();
    unit.add(cast, 0);
    assertThat(shown().waits("mb0.layers.0.w.cast"))
        .isEqualTo("data of nothing, behind mb0.layers.0.act");
  }

  @Test
  void whatRunsAgainBehindSomethingThatDoesWaitsForThatAlone() {
    List<Instruction> again =
        List.of(
            step("up", Moment.RECOMPUTATION, KERNEL, List.of(X, W), U),
            step("act", Moment.RECOMPUTATION, KERNEL, List.of(U), A));
    UnitEmitter unit = emitter(new RecomputedOperators(again, Set.of(U, A)), List.of());
    run(unit, FORWARD, 0);
    graph.beginTurn();
    again.forEach(each -> unit.add(each, 0));
    assertThat(shown().waits("mb0.layers.0.act.recompute"))
        .isEqualTo("data of mb0.layers.0.up.recompute, behind nothing");
  }

  @Test
  void nothingIsLeftOfAMicroBatchThatHasLeft() {
    UnitEmitter unit = emitter();
    run(unit, FORWARD, 2);
    unit.finish(2);
    assertThatThrownBy(() -> run(unit, BACKWARD, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("layers.0: nothing is left of 2");
  }

  @Test
  void whatIsNotThereCannotBeHandedOn() {
    UnitEmitter unit = emitter();
    unit.add(FORWARD.instructions().get(0), 0);
    assertThatThrownBy(() -> unit.output(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mb0.layers.0.a is read before it is there");
  }
}
