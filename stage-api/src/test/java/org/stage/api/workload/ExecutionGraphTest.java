package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutionGraphTest {
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorValue> tensors =
      new ArrayList<>(List.of(new TensorValue("x", 8), new TensorValue("y", 8)));

  private static NodeHeader header(int id, Ids data, Ids control, Ids reads, Ids writes) {
    return new NodeHeader(id, "n" + id, Phase.FORWARD, data, control, reads, writes);
  }

  private void add(int id, Ids data, Ids control, Ids reads, Ids writes) {
    NodeHeader header = header(id, data, control, reads, writes);
    nodes.add(new Node.Compute(header, "add", MatrixShape.NONE, 0, 0, 0, 0));
  }

  private ExecutionGraph graph() {
    return new ExecutionGraph(nodes, tensors);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> graph().verify())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aTensorIsThereAtTheStartOrWrittenBeforeItIsRead() {
    add(0, Ids.NONE, Ids.NONE, Ids.of(0), Ids.of(1));
    add(1, Ids.of(0), Ids.of(0), Ids.of(0, 1), Ids.NONE);
    assertThatCode(() -> graph().verify()).doesNotThrowAnyException();
  }

  @Test
  void anIdThatIsNotTheIndexIsRefused() {
    add(1, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    assertRefused("node 1 (n1) is number 0");
  }

  @Test
  void aNodeDoesNotDependOnItself() {
    add(0, Ids.of(0), Ids.NONE, Ids.NONE, Ids.NONE);
    assertRefused("node 0 (n0) depends on node 0, which is not below 0");
  }

  @Test
  void aNodeDoesNotDependOnALaterOne() {
    add(0, Ids.NONE, Ids.of(1), Ids.NONE, Ids.NONE);
    add(1, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    assertRefused("node 0 (n0) depends on node 1, which is not below 0");
  }

  @Test
  void negativeDependenciesAreRefused() {
    add(0, Ids.of(-1), Ids.NONE, Ids.NONE, Ids.NONE);
    assertRefused("node 0 (n0) depends on node -1, which is not below 0");
  }

  @Test
  void tensorsAreThoseOfTheGraph() {
    add(0, Ids.NONE, Ids.NONE, Ids.of(2), Ids.NONE);
    assertRefused("node 0 (n0) reads tensor 2, which is not below 2");
    nodes.clear();
    add(0, Ids.NONE, Ids.NONE, Ids.NONE, Ids.of(2));
    assertRefused("node 0 (n0) writes tensor 2, which is not below 2");
  }

  @Test
  void aTensorHasOneWriter() {
    add(0, Ids.NONE, Ids.NONE, Ids.NONE, Ids.of(1));
    add(1, Ids.NONE, Ids.NONE, Ids.NONE, Ids.of(1));
    assertRefused("node 1 (n1) writes y again");
  }

  @Test
  void aTensorIsNotReadBeforeItsWriter() {
    add(0, Ids.NONE, Ids.NONE, Ids.of(1), Ids.NONE);
    add(1, Ids.NONE, Ids.NONE, Ids.NONE, Ids.of(1));
    assertRefused("node 0 (n0) reads y, which node 1 writes");
  }

  @Test
  void aNodeDoesNotReadWhatItWrites() {
    add(0, Ids.NONE, Ids.NONE, Ids.of(1), Ids.of(1));
    assertRefused("node 0 (n0) reads y, which node 0 writes");
  }

  @Test
  void twoTensorsOfOneNameAreRefused() {
    tensors.add(new TensorValue("x", 9));
    assertRefused("tensor x is there twice");
  }

  @Test
  void theOrderOfCommunicationIsThatOfCollectivesAndSends() {
    Group group = new Group.Along(List.of(new SubAxis("tp", 1, 2)));
    NodeHeader first = header(0, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    Node recv = new Node.Recv(first, "pp", -1, 1, DataType.BF16, 0);
    Node send =
        new Node.Send(
            header(1, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE), "pp", 1, 3, DataType.BF16, 0);
    Node collective =
        new Node.Collective(
            header(3, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE),
            Node.Collective.Kind.REDUCE_SCATTER,
            5,
            DataType.FP32,
            group);
    nodes.addAll(List.of(recv, send));
    add(2, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    nodes.add(collective);
    assertThat(graph().commOrder()).containsExactly(send, collective);
  }

  @Test
  void bytesAreElementsTimesTheirSize() {
    NodeHeader header = header(0, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    Group group = new Group.Members("pp", List.of(0, 3));
    Node.Collective.Kind kind = Node.Collective.Kind.ALL_REDUCE;
    assertThat(new Node.Collective(header, kind, 5, DataType.FP32, group).bytes()).isEqualTo(20);
    assertThat(new Node.Send(header, "pp", 1, 5, DataType.BF16, 0).bytes()).isEqualTo(10);
    assertThat(new Node.Recv(header, "pp", 1, 5, DataType.INT64, 0).bytes()).isEqualTo(40);
    assertThatThrownBy(() -> new Node.Send(header, "pp", 1, 1L << 62, DataType.FP32, 0).bytes())
        .isInstanceOf(ArithmeticException.class);
  }
}
