package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.api.workload.Node.Collective.Kind.ALL_GATHER;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.ALL_TO_ALL;
import static org.stage.api.workload.Node.Collective.Kind.REDUCE_SCATTER;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;

/** Experts: which group SimAI prices, and under which of its sums it books a row. */
final class ExpertsTest {
  private static final Mesh EP8 = Workloads.mesh("ep", 8);
  private static final Mesh TP2_EP4 = Workloads.mesh("tp", 2, "ep", 4);
  private static final Group EXPERTS = GraphBuilder.along(8, "ep");

  @TempDir Path directory;

  @Test
  void gradientsThatExpertRanksReduceAreDataParallel() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.moe.route", 3)
            .collective("mb0.layers.0.moe.sent.all-to-all", ALL_TO_ALL, 800, EXPERTS)
            .phase(Phase.BACKWARD)
            .collective("mb0.layers.0.moe.sent.grad.all-to-all", ALL_TO_ALL, 800, EXPERTS)
            .collective("layers.0.grad.all-reduce.ep", ALL_REDUCE, 300, EXPERTS);
    assertThat(Exports.rows(Workloads.single(EP8, graph), directory))
        .containsExactly(
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 600 100",
            "moe_layer -1 3 ALLTOALL_EP 1600 0 ALLTOALL_EP 1600 0 NONE 0 100");
  }

  @Test
  void shardsOfParametersThatExpertRanksHoldAreDataParallelInEachMicroBatch() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .node(header -> collective(header, Position.Role.PARAMETER_GATHER, ALL_GATHER))
            .product("mb0.layers.0.mlp.up", 2)
            .phase(Phase.BACKWARD)
            .node(header -> collective(header, Position.Role.GRADIENT_REDUCTION, REDUCE_SCATTER));
    assertThat(Exports.rows(Workloads.single(EP8, graph), directory))
        .containsExactly(
            "grad_gather -1 0 NONE 0 0 NONE 0 0 ALLGATHER 1600 100",
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 REDUCESCATTER 200 100",
            "mlp_layer -1 2 NONE 0 0 NONE 0 0 NONE 0 100");
  }

  private static Node collective(NodeHeader header, Position.Role role, Node.Collective.Kind kind) {
    Position position = Position.ofName("mb0.layers.0.parameters", role);
    return new Node.Collective(header.at(position), kind, 100, DataType.BF16, EXPERTS);
  }

  @Test
  void aRowThatOnlyGradientsOfExpertsCrossNamesThemInTheForwardEntryToo() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.moe.expert", 5)
            .phase(Phase.BACKWARD)
            .product("mb0.layers.0.moe.expert.dgrad", 7)
            .collective("mb0.layers.0.moe.sent.grad.all-to-all", ALL_TO_ALL, 800, EXPERTS);
    assertThat(Exports.rows(Workloads.single(EP8, graph), directory))
        .containsExactly("moe_layer -1 5 ALLTOALL_EP 0 7 ALLTOALL_EP 1600 0 NONE 0 100");
  }

  @Test
  void tensorAndExpertParallelEntriesDoNotShareARow() throws IOException {
    Group tensor = GraphBuilder.along(2, "tp");
    Group experts = GraphBuilder.along(4, "ep");
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.moe.expert", 5)
            .collective("mb0.layers.0.moe.y.all-reduce", ALL_REDUCE, 100, tensor)
            .phase(Phase.BACKWARD)
            .product("mb0.layers.0.moe.expert.dgrad", 7)
            .collective("mb0.layers.0.moe.sent.grad.all-to-all", ALL_TO_ALL, 800, experts);
    assertThat(Exports.rows(Workloads.single(TP2_EP4, graph), directory))
        .containsExactly(
            "moe_column -1 5 ALLREDUCE 200 0 NONE 0 0 NONE 0 100",
            "moe_row -1 0 ALLTOALL_EP 0 7 ALLTOALL_EP 1600 0 NONE 0 100");

    GraphBuilder reverse =
        new GraphBuilder()
            .product("mb0.layers.0.moe.expert", 5)
            .collective("mb0.layers.0.moe.sent.all-to-all", ALL_TO_ALL, 800, experts)
            .phase(Phase.BACKWARD)
            .product("mb0.layers.0.moe.expert.dgrad", 7)
            .collective("mb0.layers.0.moe.y.grad.all-reduce", ALL_REDUCE, 100, tensor);
    assertThat(Exports.rows(Workloads.single(TP2_EP4, reverse), directory))
        .containsExactly(
            "moe_column -1 5 ALLTOALL_EP 1600 0 NONE 0 0 NONE 0 100",
            "moe_row -1 0 NONE 0 7 ALLREDUCE 200 0 NONE 0 100");
  }
}
