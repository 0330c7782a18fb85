package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

/** Jobs side by side, and ranks that are slow. */
class SeveralJobsTest {
  /** Job a is tp 2 x pp 2 on the outer ranks, job b dp 2 on the inner ones. */
  private static final Workload TWO =
      ExecutionTextParser.parseWorkload(
          """
          workload w
          model "tiny + tiny"
          mesh devices=6
          precision weights=bf16 activations=bf16 gradients=fp32
          hardware h100 memory=80.0 bandwidth=3350.0 bf16=989.0
          job a ranks=0-1,4-5 tp=2 pp=2
          job b ranks=2-3 dp=2
          class stage=0 ranks=0-1 job=a
          0 compute up forward einsum flops=60000000 read=400 written=600
          1 all-reduce sum forward 1024xbf16 over tp:2 deps=0
          2 send out forward 1024xbf16 to pp:+1 tag=7 deps=1
          class stage=0 ranks=2 job=b
          0 compute up forward einsum flops=60000000 other=5 read=400 written=600
          1 all-reduce sum backward 2048xfp32 over dp:2 deps=0
          class stage=0 ranks=3 job=b slowdown=1.5
          0 compute up forward einsum flops=60000000 other=5 read=400 written=600
          1 all-reduce sum backward 2048xfp32 over dp:2 deps=0
          class stage=1 ranks=4-5 job=a
          0 recv in forward 1024xbf16 from pp:-1 tag=7
          1 compute up forward einsum flops=60000000 read=400 written=600 deps=0
          2 all-reduce sum forward 1024xbf16 over tp:2 deps=1
          """);

  @TempDir Path directory;

  private String group(int rank) throws IOException {
    return Traces.attribute(Traces.node(directory, rank, "sum"), "pg_name").getStringVal();
  }

  @Test
  void groupsOfJobsAreNumberedInOneRowAndShareNoRank() throws IOException {
    Exports.export(TWO, directory);

    assertThat(directory.resolve("w.json"))
        .hasContent("{\n  \"1\": [0, 1],\n  \"2\": [2, 3],\n  \"3\": [4, 5]\n}\n");
    assertThat(group(1)).isEqualTo("1");
    assertThat(group(2)).isEqualTo("2");
    assertThat(group(3)).isEqualTo("2");
    assertThat(group(5)).isEqualTo("3");
  }

  @Test
  void peersAreRanksOfTheJobWhereverTheyLie() throws IOException {
    Exports.export(TWO, directory);

    var send = Traces.node(directory, 1, "out");
    assertThat(Traces.integer(send, "comm_src")).isEqualTo(1);
    assertThat(Traces.integer(send, "comm_dst")).isEqualTo(5);
    assertThat(Traces.integer(send, "comm_tag")).isEqualTo(7);
    var recv = Traces.node(directory, 4, "in");
    assertThat(Traces.integer(recv, "comm_src")).isZero();
    assertThat(Traces.integer(recv, "comm_dst")).isEqualTo(4);
    assertThat(Traces.integer(recv, "comm_tag")).isEqualTo(7);
  }

  @Test
  void aSlowRankHasAsMuchMoreToDoAndItsNeighbourHasNot() throws IOException {
    ExportReport report = Exports.export(TWO, directory);

    var slow = Traces.node(directory, 3, "up");
    assertThat(Traces.integer(slow, "num_ops")).isEqualTo(90_000_008);
    assertThat(Traces.integer(slow, "tensor_size")).isEqualTo(1500);
    var sound = Traces.node(directory, 2, "up");
    assertThat(Traces.integer(sound, "num_ops")).isEqualTo(60_000_005);
    assertThat(Traces.integer(sound, "tensor_size")).isEqualTo(1000);
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .contains(
            "ranks 3 are slower by 1.5: their num_ops and tensor_size are multiplied by it",
            "no network is given: network.yml has a switch of 50 GB/s and 500 ns for all jobs");
  }

  @Test
  void allJobsLieOnOneSwitchByDefaultAndTheReadmeSaysWhere() throws IOException {
    Exports.export(TWO, directory);

    assertThat(directory.resolve("network.yml"))
        .content()
        .contains("topology: [ Switch ]\nnpus_count: [ 6 ]\n");
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("of 6 ranks.\n")
        .contains("| a | 0-1,4-5 | tp=2 pp=2 |\n| b | 2-3 | dp=2 |\n")
        .contains("Ranks 3 are slower by 1.5");
  }

  @Test
  void theValidatorFindsNoFault() throws IOException {
    Exports.export(TWO, directory);

    assertThat(new ChakraValidator().validate(directory, Progress.NONE).diagnostics()).isEmpty();
  }
}
