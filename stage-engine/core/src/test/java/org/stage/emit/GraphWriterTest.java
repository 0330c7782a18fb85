package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.emit.Toys.DP;
import static org.stage.emit.Toys.add;
import static org.stage.emit.Toys.allReduce;
import static org.stage.emit.Toys.kernel;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;
import org.stage.state.Moment;
import org.stage.state.Work;

class GraphWriterTest {
  private final GraphWriter graph = new GraphWriter();

  @BeforeEach
  void begin() {
    graph.beginTurn();
  }

  private String waits(String name) {
    return Shown.of(graph).waits(name);
  }

  @Test
  void kernelsOfTheFirstTurnWaitForNothingButData() {
    int first = kernel(graph, "first");
    kernel(graph, "second", first);
    assertThat(waits("first")).isEqualTo("data of nothing, behind nothing");
    assertThat(waits("second")).isEqualTo("data of first, behind nothing");
  }

  @Test
  void aKernelWaitsForTheLastKernelOfTheTurnBefore() {
    kernel(graph, "first");
    kernel(graph, "last");
    graph.beginTurn();
    int next = kernel(graph, "next");
    kernel(graph, "apart");
    kernel(graph, "follows", next);
    assertThat(waits("next")).isEqualTo("data of nothing, behind last");
    assertThat(waits("apart")).isEqualTo("data of nothing, behind last");
    // It waits for a kernel of its turn, which waited.
    assertThat(waits("follows")).isEqualTo("data of next, behind nothing");
  }

  @Test
  void aKernelThatNeedsAnEarlierTurnWaitsForTheLastKernelBeforeToo() {
    int first = kernel(graph, "first");
    kernel(graph, "last");
    graph.beginTurn();
    kernel(graph, "next", first);
    assertThat(waits("next")).isEqualTo("data of first, behind last");
  }

  @Test
  void aCollectiveBehindAKernelOfTheTurnPassesTheWaitOn() {
    kernel(graph, "last");
    graph.beginTurn();
    int next = kernel(graph, "next");
    int sum = add(graph, "sum", allReduce(DP, 4), Ids.NONE, next);
    kernel(graph, "behind", sum);
    assertThat(waits("behind")).isEqualTo("data of sum, behind nothing");
  }

  @Test
  void aCollectiveOnWhatEarlierTurnsMadeDoesNot() {
    int last = kernel(graph, "last");
    graph.beginTurn();
    int sum = add(graph, "sum", allReduce(DP, 4), Ids.NONE, last);
    kernel(graph, "behind", sum);
    assertThat(waits("behind")).isEqualTo("data of sum, behind last");
  }

  @Test
  void aTurnWithoutKernelsLeavesTheOneBeforeInForce() {
    kernel(graph, "last");
    graph.beginTurn();
    add(graph, "copy", new Work.HostCopy(true, 8), Ids.NONE);
    graph.beginTurn();
    kernel(graph, "next");
    assertThat(waits("next")).isEqualTo("data of nothing, behind last");
  }

  @Test
  void passesThatOverlapDoNotWaitForOneAnotherButTheNextTurnForBoth() {
    kernel(graph, "before");
    graph.beginTurn();
    kernel(graph, "forward");
    graph.stream(1);
    kernel(graph, "backward");
    graph.beginTurn();
    kernel(graph, "next");
    assertThat(waits("forward")).isEqualTo("data of nothing, behind before");
    assertThat(waits("backward")).isEqualTo("data of nothing, behind before");
    assertThat(waits("next")).isEqualTo("data of nothing, behind forward backward");
  }

  @Test
  void theLastKernelIsOfThePassOrElseOfTheTurnBefore() {
    assertThat(graph.lastKernel()).isEqualTo(Ids.NONE);
    int first = kernel(graph, "first");
    graph.stream(1);
    int second = kernel(graph, "second");
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(second));
    graph.stream(0);
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(first));
    graph.beginTurn();
    // Of two passes before, the one that was added last.
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(second));
    int third = kernel(graph, "third");
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(third));
    graph.stream(1);
    assertThat(graph.lastKernel()).isEqualTo(Ids.of(second));
  }

  @Test
  void tagsAreCounted() {
    assertThat(graph.nextTag()).isZero();
    assertThat(graph.nextTag()).isEqualTo(1);
  }

  @Test
  void aTensorIsWrittenByTheNextNodeOrGiven() {
    kernel(graph, "first");
    TensorRef given = graph.given("w", TensorType.vector(3, DataType.BF16));
    TensorRef written = graph.written("y", TensorType.vector(4, DataType.BF16));
    assertThat(given).isEqualTo(new TensorRef(0, Ids.NONE));
    assertThat(written).isEqualTo(new TensorRef(1, Ids.of(1)));
    assertThat(graph.finish().tensors())
        .containsExactly(
            new TensorValue("w", TensorType.vector(3, DataType.BF16)),
            new TensorValue("y", TensorType.vector(4, DataType.BF16)));
  }

  @Test
  void workBecomesTheNodeOfItsKind() {
    add(graph, "kernel", Toys.KERNEL, Ids.NONE);
    add(graph, "sum", allReduce(DP, 4), Ids.NONE);
    add(graph, "away", new Work.HostCopy(true, 8), Ids.NONE);
    add(graph, "back", new Work.HostCopy(false, 8), Ids.NONE);
    Node.Compute kernel = (Node.Compute) Shown.of(graph).node("kernel");
    assertThat(kernel.operator()).isEqualTo("einsum");
    assertThat(kernel.flops()).isEqualTo(2);
    assertThat(kernel.bytesRead()).isEqualTo(4);
    assertThat(kernel.bytesWritten()).isEqualTo(2);
    assertThat(kernel.inputs()).isEqualTo(Toys.KERNEL.inputs()).hasSize(2);
    assertThat(kernel.outputs()).isEqualTo(Toys.KERNEL.outputs()).hasSize(1);
    Node.Collective sum = (Node.Collective) Shown.of(graph).node("sum");
    assertThat(sum.kind()).isEqualTo(Node.Collective.Kind.ALL_REDUCE);
    assertThat(sum.bytes()).isEqualTo(16);
    assertThat(sum.group()).isEqualTo(DP);
    assertThat(((Node.MemoryStore) Shown.of(graph).node("away")).bytes()).isEqualTo(8);
    assertThat(((Node.MemoryLoad) Shown.of(graph).node("back")).bytes()).isEqualTo(8);
  }

  @Test
  void aMessageIsRefusedAsItHasTwoEnds() {
    Work message = new Work.Message(Work.Message.Way.SHIFT, "cp", DataType.BF16, 4);
    NodeHeader header = Toys.header(graph, "turn", Moment.FORWARD, Ids.NONE, Ids.NONE);
    assertThatThrownBy(() -> graph.add(header, message))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("turn is a message, which has two ends");
  }
}
