package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.state.Moment;
import org.stage.state.Work;

/** Backward passes whose variables are numbers. */
class WeightGradientOrderTest {
  private static final TensorType VECTOR = TensorType.vector(4, DataType.BF16);

  private static Instruction product(String name, Moment moment, List<Integer> reads, int write) {
    return kernel(name, moment, new MatrixShape(1, 2, 2, 2), 16, reads, write);
  }

  private static Instruction grouped(String name, Moment moment, List<Integer> reads, int write) {
    return kernel(name, moment, new MatrixShape(4, 2, 2, 2), 64, reads, write);
  }

  private static Instruction sum(String name, List<Integer> reads, int write) {
    return kernel(name, Moment.INPUT_GRADIENTS, MatrixShape.NONE, 0, reads, write);
  }

  private static Instruction kernel(
      String name, Moment moment, MatrixShape shape, long flops, List<Integer> reads, int write) {
    Node.Compute.Cost cost = new Node.Compute.Cost(flops, 0, 1, 1);
    List<TensorType> inputs = reads.stream().map(each -> VECTOR).toList();
    Work work = new Work.Kernel("op", shape, cost, inputs, List.of(VECTOR));
    return new Instruction(name, moment, work, reads, List.of(write));
  }

  private static Instruction move(Node.Collective.Kind kind, String name, int read, int write) {
    Group tp = new Group.Along(List.of(new SubAxis("tp", 1, 2)));
    Work work = new Work.Transfer(kind, tp, DataType.BF16, 4);
    return new Instruction(name, Moment.INPUT_GRADIENTS, work, List.of(read), List.of(write));
  }

  private static Instruction reduce(int read, int write) {
    return move(Node.Collective.Kind.REDUCE_SCATTER, "reduce", read, write);
  }

  private static List<String> ordered(Instruction... instructions) {
    return Units.names(WeightGradientOrder.of(List.of(instructions), IntUnaryOperator.identity()));
  }

  /** Of two products of one input, whose output gradients are 0 and 1. */
  @Test
  void gradientsOfWeightsComeBehindTheReductionOfTheSumOfTheirInputsGradients() {
    assertThat(
            ordered(
                product("gate.dgrad", Moment.INPUT_GRADIENTS, List.of(0, 10), 2),
                product("gate.wgrad", Moment.WEIGHT_GRADIENTS, List.of(0, 11), 3),
                product("up.dgrad", Moment.INPUT_GRADIENTS, List.of(1, 12), 4),
                product("up.wgrad", Moment.WEIGHT_GRADIENTS, List.of(1, 11), 5),
                sum("sum", List.of(2, 4), 6),
                reduce(6, 7),
                sum("norm.grad", List.of(7, 13), 8)))
        .containsExactly(
            "gate.dgrad", "up.dgrad", "sum", "reduce", "gate.wgrad", "up.wgrad", "norm.grad");
  }

  /** The product before it has no collective of its own, and keeps its place. */
  @Test
  void nothingMovesBehindTheCollectiveOfOtherProducts() {
    assertThat(
            ordered(
                product("down.dgrad", Moment.INPUT_GRADIENTS, List.of(0, 10), 1),
                product("down.wgrad", Moment.WEIGHT_GRADIENTS, List.of(0, 11), 2),
                product("up.dgrad", Moment.INPUT_GRADIENTS, List.of(1, 12), 3),
                product("up.wgrad", Moment.WEIGHT_GRADIENTS, List.of(1, 13), 4),
                reduce(3, 5)))
        .containsExactly("down.dgrad", "down.wgrad", "up.dgrad", "reduce", "up.wgrad");
  }

  @Test
  void whatReadsAGradientOfWeightsMovesWithIt() {
    assertThat(
            ordered(
                product("wgrad", Moment.WEIGHT_GRADIENTS, List.of(0, 10), 1),
                product("of.wgrad", Moment.WEIGHT_GRADIENTS, List.of(1, 11), 2),
                product("dgrad", Moment.INPUT_GRADIENTS, List.of(0, 12), 3),
                reduce(3, 4)))
        .containsExactly("dgrad", "reduce", "wgrad", "of.wgrad");
  }

  @Test
  void gatheringsExchangesAndGroupedProductsChangeNothing() {
    Instruction[] gathered = {
      product("dgrad", Moment.INPUT_GRADIENTS, List.of(0, 10), 1),
      product("wgrad", Moment.WEIGHT_GRADIENTS, List.of(0, 11), 2),
      move(Node.Collective.Kind.ALL_GATHER, "gather", 1, 3),
      move(Node.Collective.Kind.ALL_TO_ALL, "exchange", 1, 4)
    };
    assertThat(ordered(gathered)).containsExactly("dgrad", "wgrad", "gather", "exchange");
    assertThat(
            ordered(
                grouped("dgrad", Moment.INPUT_GRADIENTS, List.of(0, 10), 1),
                grouped("wgrad", Moment.WEIGHT_GRADIENTS, List.of(0, 11), 2),
                reduce(1, 3)))
        .containsExactly("dgrad", "wgrad", "reduce");
  }
}
