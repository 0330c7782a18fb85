package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.TensorType;
import org.stage.state.StateAction.Kind;
import org.stage.state.Work.Message.Way;

class WorkTest {
  private static final TensorType SIX = TensorType.vector(6, DataType.BF16);

  private static final Work KERNEL =
      Work.Kernel.elementwise("add", 6, List.of(SIX, SIX), List.of(SIX));
  private static final Work TRANSFER =
      new Work.Transfer(Collective.Kind.ALL_REDUCE, StateTexts.DP4, DataType.FP32, 7);
  private static final Work COPY = new Work.HostCopy(true, 80);

  private static Work message(Way way) {
    return new Work.Message(way, "pp", DataType.BF16, 9);
  }

  @Test
  void anElementwiseKernelHasNoProducts() {
    Node.Compute.Cost cost = new Node.Compute.Cost(0, 6, 24, 12);
    assertThat(KERNEL)
        .isEqualTo(new Work.Kernel("add", MatrixShape.NONE, cost, List.of(SIX, SIX), List.of(SIX)));
  }

  @Test
  void aTurnOfARingIsTwoNodesAndAllElseOne() {
    assertThat(message(Way.SHIFT).nodes()).isEqualTo(2);
    assertThat(List.of(KERNEL, TRANSFER, COPY, message(Way.SEND), message(Way.RECEIVE)))
        .allMatch(work -> work.nodes() == 1);
  }

  @Test
  void devicesWaitForOneAnotherInCollectivesAndWhereMessagesGoOut() {
    assertThat(List.of(TRANSFER, message(Way.SEND), message(Way.SHIFT)))
        .allMatch(Work::communicates);
    assertThat(List.of(KERNEL, COPY, message(Way.RECEIVE))).noneMatch(Work::communicates);
  }

  @Test
  void whatMovesIsToldApartBySize() {
    assertThat(key(TRANSFER)).isEqualTo("name#7");
    assertThat(key(message(Way.SEND))).isEqualTo("name#9");
    assertThat(key(KERNEL)).isEqualTo("name");
    assertThat(key(COPY)).isEqualTo("name");
  }

  private static String key(Work work) {
    return StateAction.of(Kind.UPDATE, "name", Moment.UPDATE, work).key();
  }
}
