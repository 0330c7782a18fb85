package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorValue;

/** Builds execution graphs node by node; each method returns the id of its node. */
final class GraphBuilder {
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorValue> tensors = new ArrayList<>();
  private Ids reads = Ids.NONE;
  private Ids writes = Ids.NONE;
  private Ids control = Ids.NONE;

  int compute(String name, long flops, long bytes, int... deps) {
    return add(
        new Node.Compute(header(name, deps), "matmul", MatrixShape.NONE, flops, 0, bytes, 0));
  }

  int collective(String name, Node.Collective.Kind kind, long floats, Group group, int... deps) {
    return add(new Node.Collective(header(name, deps), kind, floats, DataType.FP32, group));
  }

  int send(String name, String axis, int offset, long floats, int tag, int... deps) {
    return add(new Node.Send(header(name, deps), axis, offset, floats, DataType.FP32, tag));
  }

  int recv(String name, String axis, int offset, long floats, int tag, int... deps) {
    return add(new Node.Recv(header(name, deps), axis, offset, floats, DataType.FP32, tag));
  }

  /** The next node comes after {@code nodes} for the schedule's sake. */
  GraphBuilder after(int... nodes) {
    control = Ids.of(nodes);
    return this;
  }

  /** The next node reads and writes these tensors. */
  GraphBuilder touching(Ids reads, Ids writes) {
    this.reads = reads;
    this.writes = writes;
    return this;
  }

  int tensor(String name, long bytes) {
    tensors.add(new TensorValue(name, bytes));
    return tensors.size() - 1;
  }

  ExecutionGraph build() {
    return new ExecutionGraph(nodes, tensors);
  }

  /** The whole of axes; all must be of {@code degree}. */
  static Group along(int degree, String... axes) {
    return new Group.Along(Arrays.stream(axes).map(axis -> new SubAxis(axis, 1, degree)).toList());
  }

  private NodeHeader header(String name, int... deps) {
    Ids data = Ids.sorted(IntStream.of(deps));
    NodeHeader header =
        new NodeHeader(nodes.size(), name, Phase.FORWARD, data, control, reads, writes);
    reads = Ids.NONE;
    writes = Ids.NONE;
    control = Ids.NONE;
    return header;
  }

  private int add(Node node) {
    nodes.add(node);
    return node.id();
  }
}
