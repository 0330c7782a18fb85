package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.api.workload.Node.Collective.Kind.ALL_GATHER;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.ALL_TO_ALL;
import static org.stage.api.workload.Node.Collective.Kind.REDUCE_SCATTER;
import static org.stage.backend.simai.Workloads.DP2;
import static org.stage.backend.simai.Workloads.TP4;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.workload.Details;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.api.workload.Workload;

final class RowsTest {
  private static final Mesh TP4_DP2 = Workloads.mesh("tp", 4, "dp", 2);

  @TempDir Path directory;

  @Test
  void aBlockBecomesRowsCutBehindItsCollectives() throws IOException {
    assertThat(Exports.rows(Workloads.single(TP4_DP2, Workloads.attention()), directory))
        .containsExactly(
            "grad_gather -1 0 NONE 0 0 NONE 0 0 ALLGATHER 2048 100",
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 REDUCESCATTER 4096 100",
            "grad_param_compute -1 0 NONE 0 6 NONE 0 0 NONE 0 100",
            "layernorm -1 0 NONE 0 0 ALLREDUCE 32 0 NONE 0 100",
            "attention_column -1 2 ALLGATHER 2048 5 REDUCESCATTER 2048 30 NONE 0 100",
            "attention_column2 -1 0 NONE 0 20 ALLGATHER 2048 0 NONE 0 100",
            "attention_row -1 13 REDUCESCATTER 2048 0 ALLGATHER 2048 0 NONE 0 100",
            "attention_column -1 2 ALLGATHER 2048 5 REDUCESCATTER 2048 30 NONE 0 100",
            "attention_column2 -1 0 NONE 0 20 ALLGATHER 2048 0 NONE 0 100",
            "attention_row -1 13 REDUCESCATTER 2048 0 ALLGATHER 2048 0 NONE 0 100");
  }

  @Test
  void theHeaderHasTheDegreesAndTheMicroBatches() throws IOException {
    Exports.export(Workloads.single(TP4_DP2, Workloads.attention()), directory);
    assertThat(Files.readAllLines(directory.resolve("w.txt")).subList(0, 2))
        .containsExactly(
            "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 1 pp: 1 vpp: 1 ga: 2"
                + " all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0",
            "10");
  }

  @Test
  void withoutSequenceParallelismABlockIsOneRow() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .move("mb0.layers.0.mlp_norm.norm", "layer_norm", 1)
            .product("mb0.layers.0.mlp.up", 2)
            .collective("mb0.layers.0.mlp.y.all-reduce", ALL_REDUCE, 100, TP4)
            .move("mb0.layers.0.mlp_residual", "add", 4)
            .phase(Phase.BACKWARD)
            .move("mb0.layers.0.mlp.up_bias.grad", "reduce_sum", 8)
            .product("mb0.layers.0.mlp.up.dgrad", 16)
            .product("mb0.layers.0.mlp.up.wgrad", 32)
            .collective("mb0.layers.0.mlp_norm.y.grad.all-reduce", ALL_REDUCE, 100, TP4);
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .containsExactly("mlp_layer -1 7 ALLREDUCE 200 16 ALLREDUCE 200 40 NONE 0 100");
  }

  @Test
  void aNodeThatSaysNoPositionIsWhereItsNameSays() throws IOException {
    NodeHeader bare =
        new NodeHeader(
            0, "mb0.layers.3.mlp.up", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    long flops = 7 * Workloads.FLOPS_PER_NS;
    GraphBuilder graph =
        new GraphBuilder()
            .node(header -> new Node.Compute(bare, "einsum", MatrixShape.NONE, flops, 0, 0, 0));
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .containsExactly("mlp_layer -1 7 NONE 0 0 NONE 0 0 NONE 0 100");
  }

  @Test
  void recomputationStandsInTheInputGradientColumn() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 2)
            .phase(Phase.RECOMPUTE)
            .product("mb0.layers.0.mlp.up.recompute", 2)
            .collective("mb0.layers.0.mlp.y.all-reduce.recompute", ALL_REDUCE, 100, TP4)
            .phase(Phase.BACKWARD)
            .product("mb0.layers.0.mlp.up.dgrad", 3);
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .containsExactly("mlp_layer -1 2 NONE 0 5 ALLREDUCE 200 0 NONE 0 100");
  }

  @Test
  void embeddingAndHeadHaveTheNamesThatSimaiKnows() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .move("mb0.embedding.lookup", "lookup", 1)
            .collective("mb0.embedding.e.all-reduce", ALL_REDUCE, 100, TP4)
            .product("mb0.head.logits", 2)
            .move("mb0.head.logits_max", "reduce_max", 1)
            .collective("mb0.head.max.all-reduce", ALL_REDUCE, 2, TP4)
            .move("mb0.head.exp_sum", "exp_sum", 4)
            .collective("mb0.head.sum.all-reduce", ALL_REDUCE, 2, TP4)
            .move("mb0.head.loss", "negative_log_likelihood", 1)
            .phase(Phase.BACKWARD)
            .move("mb0.head.loss.grad", "cross_entropy_grad", 8)
            .product("mb0.head.logits.dgrad", 16)
            .move("mb0.embedding.lookup.grad", "lookup_grad", 32);
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .containsExactly(
            "embedding_layer -1 1 ALLREDUCE 200 0 NONE 0 32 NONE 0 100",
            "final_column -1 3 NONE 0 16 NONE 0 0 NONE 0 100",
            "cross_entropy1 -1 0 ALLREDUCE 4 0 NONE 0 0 NONE 0 100",
            "cross_entropy2 -1 5 ALLREDUCE 4 8 NONE 0 0 NONE 0 100");
  }

  @Test
  void whatTheDataParallelGroupSendsPerMicroBatchStandsInItsColumn() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .collective("mb0.layers.0.parameters.all-gather", ALL_GATHER, 512, DP2)
            .product("mb0.layers.0.mlp.up", 2)
            .phase(Phase.BACKWARD)
            .collective("mb0.layers.0.grad.reduce-scatter.dp", REDUCE_SCATTER, 2048, DP2);
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .containsExactly(
            "grad_gather -1 0 NONE 0 0 NONE 0 0 ALLGATHER 2048 100",
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 REDUCESCATTER 4096 100",
            "mlp_layer -1 2 NONE 0 0 NONE 0 0 NONE 0 100");
  }

  @Test
  void expertsSendInTheirOwnGroupAndTheirGradientsInTheDataParallelPartOfIt() throws IOException {
    Group ep = GraphBuilder.along(2, "ep");
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.moe.router", 1)
            .collective("mb0.layers.0.moe.dispatch", ALL_TO_ALL, 100, ep)
            .phase(Phase.BACKWARD)
            .collective("layers.0.grad.all-reduce.dp", ALL_REDUCE, 300, DP2)
            .collective(
                "layers.0.grad.all-reduce.dp+ep",
                ALL_REDUCE,
                500,
                GraphBuilder.along(2, "dp", "ep"));
    Workload workload = Workloads.single(Workloads.mesh("ep", 2, "dp", 2), graph);
    assertThat(Exports.rows(workload, directory))
        .containsExactly(
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 1000 100",
            "moe_grad_norm2 -1 0 NONE 0 0 NONE 0 0 ALLREDUCE_DP_EP 600 100",
            "moe_layer -1 1 ALLTOALL_EP 200 0 NONE 0 0 NONE 0 100");
    assertThat(Files.readAllLines(directory.resolve("w.txt")).get(0)).contains(" ep: 2 ");
  }

  @Test
  void aGroupOfOneAndATensorOfNothingSendNothing() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 2)
            .collective(
                "mb0.layers.0.mlp.y.all-reduce", ALL_REDUCE, 1 << 20, GraphBuilder.along(1, "tp"))
            .collective("mb0.layers.0.mlp.y.all-gather", ALL_GATHER, 0, DP2);
    assertThat(Exports.rows(Workloads.single(Workloads.mesh("tp", 1, "dp", 2), graph), directory))
        .containsExactly("mlp_layer -1 2 NONE 0 0 NONE 0 0 NONE 0 100");
  }

  @Test
  void partsOfNanosecondsAreCarriedSoThatSumsHold() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    for (int mb = 0; mb < 4; mb++) {
      graph.compute("mb" + mb + ".layers.0.mlp.up", "einsum", 175_000, 0); // 1.75 ns
    }
    assertThat(Exports.rows(Workloads.single(TP4_DP2, graph), directory))
        .extracting(row -> row.split(" ")[2])
        .containsExactly("1", "2", "2", "2");
  }

  @Test
  void aMeasuredTimeGoesBeforeTheRoofline() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .node(
                header ->
                    new Node.Compute(
                        header
                            .at(Position.ofName("mb0.layers.0.mlp.up", Position.Role.FORWARD))
                            .with(Details.ofDuration(77)),
                        "einsum",
                        MatrixShape.NONE,
                        1_000_000,
                        0,
                        0,
                        0));
    Workload workload =
        Workloads.of(TP4_DP2, Optional.empty(), List.of(), Workloads.ranks(0, "0-7", graph::build));
    assertThat(Exports.rows(workload, directory))
        .containsExactly("mlp_layer -1 77 NONE 0 0 NONE 0 0 NONE 0 100");
  }
}
