package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.api.workload.SubAxis;

/** Builds execution graphs node by node. */
final class GraphBuilder {
  private final List<Node> nodes = new ArrayList<>();
  private Phase phase = Phase.FORWARD;

  GraphBuilder phase(Phase next) {
    phase = next;
    return this;
  }

  /** A matrix product of {@code ns} nanoseconds on {@link Workloads#HARDWARE}. */
  GraphBuilder product(String name, long ns) {
    return compute(name, "einsum", ns * Workloads.FLOPS_PER_NS, 0);
  }

  /** A kernel that moves bytes for {@code ns} nanoseconds on {@link Workloads#HARDWARE}. */
  GraphBuilder move(String name, String operator, long ns) {
    return compute(name, operator, 0, ns * Workloads.BYTES_PER_NS);
  }

  GraphBuilder compute(String name, String operator, long flops, long bytes) {
    nodes.add(
        new Node.Compute(header(name), operator, MatrixShape.NONE, flops, 0, bytes / 2, bytes / 2));
    return this;
  }

  /** A collective on 16-bit elements. */
  GraphBuilder collective(String name, Node.Collective.Kind kind, long elements, Group group) {
    nodes.add(new Node.Collective(header(name), kind, elements, DataType.BF16, group));
    return this;
  }

  GraphBuilder send(String name, long elements) {
    nodes.add(new Node.Send(header(name), "pp", 1, elements, DataType.BF16, nodes.size()));
    return this;
  }

  /** Any node; its name does not matter. */
  GraphBuilder node(Function<NodeHeader, Node> node) {
    nodes.add(node.apply(header("other")));
    return this;
  }

  List<Node> nodes() {
    return nodes;
  }

  ExecutionGraph build() {
    return new ExecutionGraph(nodes, List.of());
  }

  /** The whole of axes of one degree. */
  static Group along(int degree, String... axes) {
    return new Group.Along(Arrays.stream(axes).map(axis -> new SubAxis(axis, 1, degree)).toList());
  }

  private NodeHeader header(String name) {
    Position.Role role =
        name.endsWith(".wgrad") ? Position.Role.WEIGHT_GRADIENT : Position.Role.INPUT_GRADIENT;
    return new NodeHeader(nodes.size(), name, phase, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE)
        .at(Position.ofName(name, role));
  }
}
