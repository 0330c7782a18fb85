package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.api.workload.Node.Collective.Kind.ALL_GATHER;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.BARRIER;
import static org.stage.api.workload.Node.Collective.Kind.BROADCAST;
import static org.stage.backend.simai.Workloads.DP2;
import static org.stage.backend.simai.Workloads.TP4;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;

final class LossesTest {
  private static final Mesh TP4_DP2 = Workloads.mesh("tp", 4, "dp", 2);

  @TempDir Path directory;

  @Test
  void aTimeBeyond31BitsBecomesRowsOfAtMostThat() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 5_000_000_000L)
            .collective("mb0.layers.0.mlp.y.all-reduce", ALL_REDUCE, 100, TP4);
    Workload workload = Workloads.single(TP4_DP2, graph);
    assertThat(Exports.rows(workload, directory))
        .containsExactly(
            "mlp_column -1 2147483519 NONE 0 0 NONE 0 0 NONE 0 100",
            "mlp_column2 -1 2147483519 NONE 0 0 NONE 0 0 NONE 0 100",
            "mlp_row -1 705032962 ALLREDUCE 200 0 NONE 0 0 NONE 0 100");
    assertThat(notes(workload)).anyMatch(note -> note.contains("compute times of more than 2^31"));
  }

  @Test
  void aSlowRankSlowsAllOfItsStageWhichIsSaid() throws IOException {
    GraphBuilder graph = new GraphBuilder().product("mb0.layers.0.mlp.up", 100);
    Workload workload =
        Workloads.of(
            TP4_DP2,
            Workloads.ranks(0, "0-6", graph::build),
            Workloads.ranks(0, "7", graph::build).slowedBy(1.5));
    assertThat(Exports.rows(workload, directory)).anyMatch(row -> row.contains(" 150 "));
    assertThat(notes(workload))
        .anyMatch(note -> note.contains("all ranks of stage 0 are slower by 1.5, as 7 are"));
  }

  @Test
  void ranksOfAStageThatDifferAreSaid() throws IOException {
    GraphBuilder light = new GraphBuilder().product("mb0.layers.0.mlp.up", 1);
    GraphBuilder heavy = new GraphBuilder().product("mb0.layers.0.mlp.up", 2);
    String said = "ranks of stage 0 do not all do the same: the file has what one of them does";
    Workload unlike =
        Workloads.of(
            TP4_DP2,
            Workloads.ranks(0, "0-3", heavy::build),
            Workloads.ranks(0, "4-7", light::build));
    Workload alike =
        Workloads.of(
            TP4_DP2,
            Workloads.ranks(0, "0-3", light::build),
            Workloads.ranks(0, "4-7", light::build));
    assertThat(notes(unlike)).anyMatch(note -> note.startsWith(said));
    assertThat(notes(alike)).noneMatch(note -> note.startsWith(said));
  }

  @Test
  void jobsSideBySideAreRefused() {
    GraphBuilder graph = new GraphBuilder().product("mb0.layers.0.mlp.up", 1);
    Mesh one = Workloads.mesh("tp", 1);
    Workload workload =
        Workloads.of(
            Mesh.ofDevices(2),
            Workloads.ranks(0, "0", graph::build).ofJob(new JobMesh("a", one, RankSet.parse("0"))),
            Workloads.ranks(0, "1", graph::build).ofJob(new JobMesh("b", one, RankSet.parse("1"))));
    assertThatThrownBy(() -> notes(workload))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("format simai cannot say several-jobs");
  }

  @Test
  void aGatherBeyond16GibBecomesRowsOfAtMostThatButNotAReduction() throws IOException {
    long eightGib = 1L << 32; // elements of 2 bytes
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 1)
            .collective("mb0.layers.0.mlp.y.all-gather", ALL_GATHER, eightGib + 1, TP4)
            .phase(Phase.BACKWARD)
            .collective("mb0.layers.0.mlp.y.all-reduce", ALL_REDUCE, 4 * eightGib, TP4)
            .collective("layers.0.grad.all-reduce.dp", ALL_REDUCE, 4 * eightGib, DP2);
    Workload workload = Workloads.single(TP4_DP2, graph);
    assertThat(Exports.rows(workload, directory))
        .containsExactly(
            "grad_param_comm -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 34359738368 100",
            "mlp_column -1 1 ALLGATHER 17179869184 0 NONE 0 0 NONE 0 100",
            "mlp_column2 -1 0 ALLGATHER 17179869184 0 NONE 0 0 NONE 0 100",
            "mlp_row -1 0 ALLGATHER 8 0 ALLREDUCE 34359738368 0 NONE 0 100");
    assertThat(notes(workload)).anyMatch(note -> note.contains("ALLGATHER of more than 16 GiB"));
  }

  @Test
  void contextParallelismIsRefusedUnlessFoldedIntoTensorParallelism() throws IOException {
    Group cp = GraphBuilder.along(2, "cp");
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.attention.core", 1)
            .collective("mb0.layers.0.attention.kv.all-gather", ALL_GATHER, 50, cp)
            .collective(
                "mb0.layers.0.attention.y.all-reduce",
                ALL_REDUCE,
                50,
                GraphBuilder.along(2, "tp", "cp"));
    Workload workload = Workloads.single(Workloads.mesh("tp", 2, "cp", 2, "dp", 2), graph);
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("mesh.cp: SimAI knows no context parallelism");
    assertThat(Exports.rows(workload, directory, "context_parallel", "fold"))
        .containsExactly(
            "attention_column -1 1 ALLGATHER 200 0 NONE 0 0 NONE 0 100",
            "attention_row -1 0 ALLREDUCE 100 0 NONE 0 0 NONE 0 100");
    assertThat(Files.readAllLines(directory.resolve("w.txt")).get(0))
        .contains("model_parallel_NPU_group: 4 ");
    assertThat(notes(workload, "context_parallel", "fold"))
        .anyMatch(note -> note.startsWith("all-gather over cp (2 ranks) is priced as over 4"));
  }

  @Test
  void groupsThatSimaiLacksAreDeclared() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 1)
            .send("mb0.send.forward", 300)
            .send("mb1.send.forward", 300)
            .phase(Phase.BACKWARD)
            .collective(
                "layers.0.grad.all-reduce.tp",
                ALL_REDUCE,
                700,
                new Group.Along(List.of(new SubAxis("tp", 2, 2))))
            .collective("tied.all-reduce", ALL_REDUCE, 900, new Group.Members("pp", List.of(0, 1)))
            .collective("clip", ALL_REDUCE, 1, GraphBuilder.along(2, "tp", "dp"));
    Workload workload =
        Workloads.of(
            Workloads.mesh("tp", 4, "pp", 2, "dp", 2),
            Workloads.ranks(0, "0-3,8-11", graph::build),
            Workloads.ranks(1, "4-7,12-15", graph::build));
    assertThat(Exports.rows(workload, directory))
        .containsExactly(
            "replica_grads -1 0 NONE 0 0 ALLREDUCE 1400 0 NONE 0 100",
            "mlp_layer -1 1 NONE 0 0 NONE 0 0 NONE 0 100");
    assertThat(notes(workload))
        .contains(
            "sends to other pipeline stages are not in the file (2 of them, 1,200 bytes a rank)."
                + " SimAI prices them by the overlap and not by the bandwidth: add their time"
                + " yourself.",
            "all-reduce over tp:(2)2 (2 ranks) is priced as over 4 (1 of them, 1,400 bytes a rank)."
                + " SimAI has no groups inside its groups.",
            "all-reduce over pp{0,1} (2 ranks) is not in the file (1 of them, 1,800 bytes a rank)."
                + " SimAI has no such collective or group: add its time yourself.");
    assertThat(Files.readString(directory.resolve("totals.json")))
        .contains("\"what\" : \"sends to other pipeline stages are not in the file\"")
        .contains("\"bytes\" : 1200");
  }

  @Test
  void whatOnlyForeignTracesHaveIsDeclared() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 1)
            .collective("broadcast", BROADCAST, 100, DP2)
            .collective("barrier", BARRIER, 0, DP2)
            .node(header -> new Node.HostCompute(header, "aten::mm"))
            .node(header -> new Node.MemoryLoad(header, 30))
            .node(header -> new Node.MemoryStore(header, 40));
    assertThat(notes(Workloads.single(TP4_DP2, graph)))
        .contains(
            "broadcast over dp (2 ranks) is not in the file (1 of them, 200 bytes a rank). SimAI has"
                + " no such collective or group: add its time yourself.",
            "work of the host is not in the file (1 of them). SimAI knows none.",
            "transfers to and from memory outside the device are not in the file (2 of them, 70 bytes"
                + " a rank). SimAI knows none: add their time yourself.")
        .contains(
            "barrier over dp (2 ranks) is not in the file (1 of them). SimAI has no such collective"
                + " or group: add its time yourself.");
  }

  @Test
  void smallMessagesThatSimaiTakesForFreeAreDeclared() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 1)
            .collective(
                "mb0.layers.0.mlp.y.all-reduce", ALL_REDUCE, 524_287, GraphBuilder.along(3, "tp"))
            .collective(
                "mb0.layers.0.mlp.z.all-reduce", ALL_REDUCE, 524_288, GraphBuilder.along(3, "tp"));
    assertThat(notes(Workloads.single(Workloads.mesh("tp", 3), graph)))
        .anyMatch(
            note ->
                note.startsWith(
                    "messages below 1 MiB cost nothing among 3 ranks in SimAI (1 of them"));
  }

  @Test
  void whatIsLostIsToldFromWhatIsOnlyToBeKnown() throws IOException {
    GraphBuilder graph =
        new GraphBuilder()
            .product("mb0.layers.0.mlp.up", 5_000_000_000L)
            .collective("broadcast", BROADCAST, 100, DP2);
    ExportReport report = Exports.export(Workloads.single(TP4_DP2, graph), directory);
    assertThat(report.losses())
        .extracting(Diagnostic::message)
        .containsExactly(
            "dependencies and overlap are not in the file: SimAI adds up all computing and all"
                + " communication",
            "broadcast over dp (2 ranks) is not in the file (1 of them, 200 bytes a rank)");
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .anyMatch(note -> note.startsWith("compute times of more than 2^31 ns"))
        .anyMatch(note -> note.startsWith("no network is given"));
  }

  private List<String> notes(Workload workload, String... options) throws IOException {
    ExportReport report = Exports.export(workload, directory, options);
    return Stream.concat(report.losses().stream(), report.notes().stream())
        .map(Diagnostic::toString)
        .toList();
  }
}
