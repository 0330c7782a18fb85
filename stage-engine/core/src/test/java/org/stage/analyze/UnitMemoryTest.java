package org.stage.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.job.Optimizer;
import org.stage.operator.OperatorRules;
import org.stage.parallel.Value;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.RecomputedOperators;
import org.stage.plan.UnitPlan;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.OptimizerCost;
import org.stage.state.Work;

/** Memory of a module of two kernels, x to n to y, in bytes counted by hand. */
class UnitMemoryTest {
  private static final Work KERNEL =
      new Work.Kernel(
          "add", MatrixShape.NONE, new Node.Compute.Cost(0, 0, 0, 0), List.of(), List.of());

  /** 6, 7 and 8 elements of 2 bytes. */
  private static final Program FORWARD =
      program(
          List.of(variable("x", 6, new Value.Source.Neighbour()), made("n", 7, 0), made("y", 8, 1)),
          Map.of("y", 2),
          step("norm", Moment.FORWARD, 1, 0),
          step("up", Moment.FORWARD, 2, 1));

  private static Program.Variable variable(String name, long elements, Value.Source source) {
    return new Program.Variable(name, name, TensorType.vector(elements, DataType.BF16), "", source);
  }

  private static Program.Variable made(String name, long elements, int step) {
    return variable(name, elements, new Value.Source.Step(step));
  }

  private static Instruction step(String name, Moment moment, int write, Integer... reads) {
    return new Instruction(name, moment, KERNEL, List.of(reads), List.of(write));
  }

  private static Program program(
      List<Program.Variable> variables, Map<String, Integer> outputs, Instruction... steps) {
    return new Program(List.of(steps), variables, outputs);
  }

  /** The gradient of x, of y's and a value that was saved. */
  private static Program backward(int saved, long elements) {
    return program(
        List.of(
            variable("y.grad", 8, new Value.Source.Neighbour()),
            variable("saved", elements, new Value.Source.Saved(saved)),
            made("x.grad", 6, 0)),
        Map.of("x.grad", 2),
        step("x.dgrad", Moment.INPUT_GRADIENTS, 2, 0, 1));
  }

  private static UnitMemory memory(Program backward, Set<Integer> replaced, Instruction... again) {
    ModuleStates states =
        new ModuleStates(
            Map.of(),
            List.of(),
            OptimizerCost.of(
                Optimizer.Kind.ADAM, new Precision(DataType.BF16, DataType.BF16, DataType.FP32), 0),
            List.of());
    RecomputedOperators repeated = new RecomputedOperators(List.of(again), replaced);
    UnitPlan unit = new UnitPlan(FORWARD, backward, repeated, List.of(), states, Map.of());
    return UnitMemory.of(unit, OperatorRules.standard(), 0);
  }

  @Test
  void whatIsKeptIsThereUntilItIsRead() {
    UnitMemory all = memory(backward(2, 8), Set.of());
    assertThat(all.kept()).isEqualTo(16);
    // y, its gradient, and that of x.
    assertThat(all.backwardPeak()).isEqualTo(16 + 16 + 12);
  }

  /** n is kept for y alone, and is there until y is made again. */
  @Test
  void whatIsKeptForTheRepetitionCountsDuringTheBackwardPass() {
    UnitMemory again = memory(backward(2, 8), Set.of(2), step("up", Moment.RECOMPUTATION, 2, 1));
    assertThat(again.kept()).isEqualTo(14);
    // n, the gradient of y, and y; then y, its gradient, and that of x.
    assertThat(again.backwardPeak()).isEqualTo(Math.max(14 + 16 + 16, 16 + 16 + 12));
    assertThat(again.inputsPeak()).isEqualTo(46);
  }

  /** y is made on the way to nothing, and is gone at once. */
  @Test
  void whatIsMadeAgainIsThereFromThenUntilItIsRead() {
    List<Instruction> both = new ArrayList<>();
    both.add(step("norm", Moment.RECOMPUTATION, 1, 0));
    both.add(step("up", Moment.RECOMPUTATION, 2, 1));
    UnitMemory again = memory(backward(1, 7), Set.of(1), both.toArray(Instruction[]::new));
    assertThat(again.kept()).isEqualTo(12);
    // x and y's gradient; n; then y beside n and the gradient.
    assertThat(again.backwardPeak()).isEqualTo(Math.max(12 + 16 + 14, 14 + 16 + 16));
  }

  /** y is kept although it is made again, which comes last, as nothing waits for it. */
  @Test
  void whatIsKeptIsNotReplacedByWhatIsMadeAgain() {
    UnitMemory again = memory(backward(2, 8), Set.of(), step("up", Moment.RECOMPUTATION, 2, 1));
    assertThat(again.kept()).isEqualTo(14 + 16);
    assertThat(again.backwardPeak()).isEqualTo(14 + 16 + 16 + 12);
  }
}
