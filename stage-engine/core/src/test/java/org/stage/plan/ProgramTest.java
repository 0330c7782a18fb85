package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.module.SizeSymbols;
import org.stage.parallel.Numbers;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Value;
import org.stage.state.Moment;
import org.stage.state.Work;
import org.stage.state.Work.Message.Way;

class ProgramTest {
  private static final Group TP2 = new Group.Along(List.of(new SubAxis("tp", 1, 2)));

  private static final List<TensorType> IN = List.of(halves(7), halves(10));
  private static final List<TensorType> OUT = List.of(halves(8));

  private static TensorType halves(long elements) {
    return TensorType.vector(elements, DataType.BF16);
  }

  private static Program of(PlacedModule module) {
    return Program.of(module, Units.NUMBERS, parameter -> true);
  }

  private static Program backward(PlacedModule module) {
    return Program.backward(module, Units.NUMBERS, parameter -> true, WeightGradients.INLINE);
  }

  private static List<String> at(Program program, Moment moment) {
    return program.instructions().stream()
        .filter(each -> each.moment() == moment)
        .map(Instruction::name)
        .toList();
  }

  @Test
  void aKernelReadsItsGradientsWhereTheyAreAddedUpInPlace() {
    MatrixShape shape = new MatrixShape(1, 2, 3, 4);
    Instruction in = of(Units.FORWARD).instructions().get(1);
    // 12 weights of 2 bytes, 10 gradients of 4; writes 6 activations of 2.
    assertThat(in)
        .isEqualTo(
            new Instruction(
                "up",
                Moment.FORWARD,
                new Work.Kernel("add", shape, new Node.Compute.Cost(24, 5, 64, 12), IN, OUT),
                List.of(2, 1),
                List.of(3)));
  }

  @Test
  void aCollectiveIsNamedByWhatItMakesAndCountsWhatItTakes() {
    PlacedModule module =
        new Toy()
            .neighbour("y 3*a")
            .transfer(Collective.Kind.REDUCE_SCATTER, "tp", "y", "y:reduce-scatter 6")
            .module();
    assertThat(of(module).instructions())
        .containsExactly(
            new Instruction(
                "y.reduce-scatter",
                Moment.FORWARD,
                new Work.Transfer(Collective.Kind.REDUCE_SCATTER, TP2, DataType.BF16, 12),
                List.of(0),
                List.of(1)));
  }

  @Test
  void activationsMayGoOverTensorParallelRanksIn32Bits() {
    PlacedModule module =
        new Toy()
            .neighbour("y 6")
            .transfer(Collective.Kind.ALL_REDUCE, "tp", "y", "y:sum")
            .module();
    Numbers single = new Numbers(Units.MESH, Map.of(), Units.MIXED, true);
    assertThat(Program.of(module, single, parameter -> true).instructions().get(0).work())
        .isEqualTo(new Work.Transfer(Collective.Kind.ALL_REDUCE, TP2, DataType.FP32, 6));
  }

  /** Only there: a gather of the same rows takes those of this rank. */
  @Test
  void anExchangeCountsTheRowsOfTheFullestRank() {
    Numbers rows =
        new Numbers(
            Units.MESH,
            Map.of(SizeSymbols.HELD_ROWS, 5L, SizeSymbols.MOST_ROWS, 9L),
            Units.MIXED,
            false);
    PlacedModule module =
        new Toy()
            .neighbour("y 2*held_rows")
            .transfer(Collective.Kind.ALL_TO_ALL, "ep", "y", "y:all-to-all")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "y", "y:all-gather")
            .module();
    assertThat(
            Program.of(module, rows, parameter -> true).instructions().stream()
                .map(each -> each.key()))
        .containsExactly("y.all-to-all#18", "y.all-gather#10");
  }

  @Test
  void aTurnOfARingIsOneMessageOfAllThatGoes() {
    PlacedModule module =
        new Toy().neighbour("k 6").neighbour("v 5").shift("turn", "cp", "k v", "k:next").module();
    assertThat(of(module).instructions())
        .containsExactly(
            new Instruction(
                "turn",
                Moment.FORWARD,
                new Work.Message(Way.SHIFT, "cp", DataType.BF16, 11),
                List.of(0, 1),
                List.of(2)));
  }

  @Test
  void variablesHaveTheirSizeInElementsAndBytes() {
    assertThat(of(Units.BACKWARD).variables())
        .contains(
            new Program.Variable(
                "w", "w", TensorType.vector(10, DataType.BF16), "", new Value.Source.Saved(1)),
            new Program.Variable(
                "n.grad",
                "n.grad",
                TensorType.vector(7, DataType.BF16),
                "",
                new Value.Source.Step(0)),
            new Program.Variable(
                "w.grad",
                "w.grad",
                TensorType.vector(10, DataType.FP32),
                "w",
                new Value.Source.Step(1)));
    PlacedModule reduced =
        new Toy().given("y 6").transfer(Collective.Kind.ALL_REDUCE, "tp", "y", "y:sum").module();
    assertThat(of(reduced).variables().stream().map(Program.Variable::name))
        .containsExactly("y", "y.sum");
  }

  @Test
  void onlyGradientsOfParametersAreGradients() {
    Program program = of(Units.BACKWARD);
    assertThat(program.variables().stream().filter(Program.Variable::isGradient))
        .extracting(Program.Variable::parameter)
        .containsExactly("w");
    PlacedModule parts = new Toy().given("w.grad.each").given("w.grad").module();
    assertThat(of(parts).variables().stream().map(Program.Variable::isGradient))
        .containsExactly(false, true);
  }

  @Test
  void parametersAreGivenAndNothingElse() {
    assertThat(of(Units.FORWARD).variables().stream().map(Program.Variable::isGiven))
        .containsExactly(false, true, false, false);
  }

  @Test
  void viewsAreFollowedToTheirMemory() {
    PlacedModule module =
        new Toy().neighbour("x").neighbour("z").view("q", "z").view("r", "q").module();
    Program program = of(module);
    assertThat(program.root(3)).isEqualTo(1);
    assertThat(program.root(2)).isEqualTo(1);
    assertThat(program.root(0)).isZero();
  }

  @Test
  void theNextModuleTakesTheOutputThatIsNoGradientOfAParameter() {
    assertThat(of(Units.FORWARD).outgoing()).hasValue(3);
    assertThat(of(Units.BACKWARD).outgoing()).hasValue(6);
    PlacedModule onlyWeights =
        new Toy().neighbour("y.grad").given("w.grad").output("w.grad").module();
    assertThat(of(onlyWeights).outgoing()).isEmpty();
  }

  @Test
  void whatLeavesIsTheMemoryBehindAView() {
    PlacedModule module = new Toy().given("w").neighbour("x").view("y", "x").output("y").module();
    assertThat(of(module).outgoing()).hasValue(1);
  }

  @Test
  void aBackwardPassIsSplitByWhatTheModuleBeforeWaitsFor() {
    Program program = backward(Units.BACKWARD);
    assertThat(Units.names(program.instructions())).containsExactly("up.n", "up.w", "norm.x");
    assertThat(at(program, Moment.INPUT_GRADIENTS)).containsExactly("up.n", "norm.x");
    assertThat(at(program, Moment.WEIGHT_GRADIENTS)).containsExactly("up.w");
  }

  /** The gather serves the gradient of the weight alone. */
  @Test
  void collectivesOnTheWayToGradientsOfWeightsCanWaitToo() {
    PlacedModule module =
        new Toy()
            .neighbour("y.grad")
            .transfer(Collective.Kind.ALL_GATHER, "tp", "y.grad", "y.grad:all-gather")
            .kernel("up.w", "y.grad:all-gather", "w.grad")
            .kernel("up.x", "y.grad", "x.grad")
            .output("w.grad")
            .output("x.grad")
            .module();
    assertThat(at(backward(module), Moment.WEIGHT_GRADIENTS))
        .containsExactly("y.grad.all-gather", "up.w");
    assertThat(at(backward(module), Moment.INPUT_GRADIENTS)).containsExactly("up.x");
  }

  @Test
  void whatAViewOnTheWayIsOfIsNeededToo() {
    PlacedModule module =
        new Toy()
            .neighbour("y.grad")
            .kernel("split", "y.grad", "z.grad")
            .view("q.grad", "z.grad")
            .kernel("up.x", "q.grad", "x.grad")
            .view("r.grad", "x.grad")
            .output("r.grad")
            .module();
    assertThat(at(backward(module), Moment.INPUT_GRADIENTS)).containsExactly("split", "up.x");
  }

  @Test
  void whereNothingIsWaitedForAllCanWait() {
    assertThat(at(Units.first(Units.how(0)).backward(), Moment.WEIGHT_GRADIENTS))
        .containsExactly("table.w");
  }

  @Test
  void outputsAreFoundByTheirTensor() {
    assertThat(of(Units.BACKWARD).outputs()).isEqualTo(Map.of("x.grad", 6, "w.grad", 5));
  }
}
