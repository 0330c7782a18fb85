package org.stage.backend.simai.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkloadFileTest {
  private static final WorkloadFile.Header HEADER = new WorkloadFile.Header(8, 2, 4, 1, 16, 64);

  @TempDir Path directory;

  @Test
  void twelveFieldsARowAndNothingBehind() throws IOException {
    Comm gather = new Comm(Comm.Kind.ALLGATHER, Comm.Scope.COLUMN, 64);
    Comm experts = new Comm(Comm.Kind.ALLTOALL, Comm.Scope.EXPERT, 32);
    Comm gradients = new Comm(Comm.Kind.REDUCESCATTER, Comm.Scope.EXPERT_DATA, 16);
    Row row = new Row("mlp_row", new Pass(1, gather), new Pass(2, experts), new Pass(3, gradients));
    Path file = directory.resolve("w.txt");
    new WorkloadFile(HEADER, List.of(row)).write(file);
    assertThat(Files.readString(file))
        .isEqualTo(
            "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 2 pp: 4 vpp: 1 ga: 16"
                + " all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0\n1\n"
                + "mlp_row\t-1\t1\tALLGATHER\t64\t2\tALLTOALL_EP\t32\t3\tREDUCESCATTER_DP_EP\t16"
                + "\t100\n");
    assertThat(FileCheck.of(file).rows()).isEqualTo(1);
  }

  @Test
  void whatSimaiCannotReadCannotBeMade() {
    assertThatThrownBy(() -> new Row("my row", Pass.NONE, Pass.NONE, Pass.NONE))
        .hasMessage("a row called 'my row'");
    assertThatThrownBy(() -> new Row("", Pass.NONE, Pass.NONE, Pass.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Pass(Pass.MAX_NANOSECONDS + 1, Comm.NONE))
        .hasMessage("a pass of 2147483520 ns");
    assertThatThrownBy(() -> new Pass(-1, Comm.NONE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Comm(Comm.Kind.ALLREDUCE, Comm.Scope.COLUMN, 0))
        .hasMessage("ALLREDUCE of 0 bytes");
    assertThatThrownBy(() -> new WorkloadFile.Header(8, 2, 4, 1, 0, 64))
        .hasMessage("tp 8 ep 2 pp 4 vpp 1 ga 0 gpus 64");
  }

  @ParameterizedTest
  @CsvSource({
    "1,0",
    "2,10000",
    "3,0",
    "4,12000",
    "8,15000",
    "16,66000",
    "32,135000",
    "64,200000",
    "128,320000",
    "256,0"
  })
  void smallMessagesTakeAConstantTime(int ranks, long nanoseconds) {
    assertThat(Comm.smallNanoseconds(ranks)).isEqualTo(nanoseconds);
  }
}
