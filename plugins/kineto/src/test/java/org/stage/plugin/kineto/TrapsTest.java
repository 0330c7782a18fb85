package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;

/** What real profiles show that is easily misread. */
class TrapsTest {
  private static final String PRODUCT =
      "\"Input Dims\": [[256, 512], [512, 1024]], \"Input type\": [\"c10::BFloat16\"]";

  @TempDir private Path folder;

  @Test
  void productsOfOneOperatorOnSeveralStreamsTakeTheirUnionAndNotTheirSum() throws IOException {
    // 10 to 20, 12 to 22 on another stream, 30 to 35: 12 + 5 us
    List<MeasuredOperator> operators =
        read(
            Events.op("te::grouped_gemm", 1_000, 8_000, "\"x\": 1"),
            Events.launch(1, 2_000),
            Events.launch(2, 3_000),
            Events.launch(3, 4_000),
            Events.kernel("gemm", 10_000, 10_000, 1, ""),
            Events.event("kernel", "gemm", "0", "8", 12_000, 10_000, "\"correlation\": 2"),
            Events.kernel("gemm", 30_000, 5_000, 3, ""));
    assertThat(operators).hasSize(1);
    assertThat(operators.get(0).runs().totalNs()).isEqualTo(17_000);
  }

  @Test
  void aProductThatIsSplitAlongItsSumIsOneRunOfBothKernels() throws IOException {
    List<MeasuredOperator> operators =
        read(
            Events.op("aten::mm", 1_000, 8_000, PRODUCT),
            Events.launch(1, 2_000),
            Events.launch(2, 3_000),
            Events.kernel("cublas_splitK", 10_000, 5_000, 1, ""),
            Events.kernel("cublasLt::splitKreduce_kernel", 16_000, 2_000, 2, ""));
    assertThat(operators).hasSize(1);
    assertThat(operators.get(0).runs().size()).isEqualTo(1);
    assertThat(operators.get(0).runs().totalNs()).isEqualTo(7_000);
  }

  @Test
  void gapsOfTheHostAreNoPartOfARun() throws IOException {
    // the operator takes 80 us on the host, and its kernel comes 500 us later
    List<MeasuredOperator> operators =
        read(
            Events.op("aten::mm", 1_000, 80_000, PRODUCT),
            Events.launch(1, 2_000),
            Events.kernel("sm90_gemm", 600_000, 5_000, 1, ""));
    assertThat(operators.get(0).runs().totalNs()).isEqualTo(5_000);
  }

  @Test
  void packedSequencesTellTheirTokensAndNotTheirPairs() throws IOException {
    String q = "[1, 4096, 16, 64]";
    List<MeasuredOperator> operators =
        read(
            attention("aten::_flash_attention_forward", q + "," + q + "," + q + ",[5],[5],[],[]"),
            Events.launch(1, 2_000),
            Events.kernel("flash_fwd_kernel", 10_000, 5_000, 1, ""));
    assertThat(operators.get(0).kind()).isEqualTo(Kind.ATTENTION);
    assertThat(operators.get(0).shape().matrix()).isEqualTo(MatrixShape.NONE);
  }

  @Test
  void sequencesOfOneLengthTellTheirPairs() throws IOException {
    String q = "[2, 4096, 16, 64]";
    List<MeasuredOperator> operators =
        read(
            attention("aten::_flash_attention_forward", q + "," + q + "," + q + ",[],[],[],[]"),
            Events.launch(1, 2_000),
            Events.kernel("flash_fwd_kernel", 10_000, 5_000, 1, ""));
    assertThat(operators.get(0).shape().matrix()).isEqualTo(new MatrixShape(32, 4096, 4096, 64));
  }

  @Test
  void whatRunsAgainInBackwardIsNeitherForwardNorBackward() throws IOException {
    List<MeasuredOperator> operators =
        read(
            Events.op("aten::mm", 1_000, 8_000, PRODUCT + ", \"Sequence number\": 5"),
            Events.launch(1, 2_000),
            Events.kernel("sm90_gemm", 10_000, 5_000, 1, ""),
            Events.op(
                "autograd::engine::evaluate_function: MmBackward0",
                101_000,
                80_000,
                "\"Sequence number\": 5"),
            // autograd records what runs again, and gives it a number
            Events.op("aten::mm", 110_000, 8_000, PRODUCT + ", \"Sequence number\": 9"),
            Events.launch(2, 112_000),
            Events.kernel("sm90_gemm", 120_000, 6_000, 2, ""),
            Events.op("aten::mm", 130_000, 8_000, PRODUCT),
            Events.launch(3, 132_000),
            Events.kernel("sm90_gemm", 140_000, 7_000, 3, ""));
    assertThat(operators)
        .extracting(each -> each.phase().orElseThrow() + " " + each.runs().totalNs())
        .containsExactly(
            Phase.FORWARD + " 5000", Phase.RECOMPUTE + " 6000", Phase.BACKWARD + " 7000");
  }

  private static String attention(String name, String dims) {
    return Events.op(
        name, 1_000, 8_000, "\"Input Dims\": [" + dims + "], \"Input type\": [\"c10::BFloat16\"]");
  }

  private List<MeasuredOperator> read(String... events) throws IOException {
    String document =
        "{\"traceEvents\": ["
            + String.join(",", events)
            + "], \"distributedInfo\": {\"rank\": 0, \"world_size\": 1}}";
    Path file = folder.resolve("rank0.json");
    Files.write(file, document.getBytes(StandardCharsets.UTF_8));
    return Imports.read(file).profile().operators();
  }
}
