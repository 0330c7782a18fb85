package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;

/** Rows that go to experts in 8 bits, as DeepSeek-V3's technical report has it, section 3.3. */
class EightBitDispatchTest {
  /** A layer of DeepSeek-V3, 4096 tokens a rank, top 8 of 256 experts. */
  private static final String DEEPSEEK =
      "{model: {preset: deepseek-v3, layers: 1, dense_layers: 0}, mesh: {ep: 32}, training:"
          + " {global_batch: 32, seq: 4096, precision: fp8, expert_dispatch: %s%s}}";

  private static final long ROWS = 4096 * 8;

  private static Analysis.OfClass rank(String dispatch, String more) {
    return Jobs.job(DEEPSEEK.formatted(dispatch, more)).analysis().classes().get(0);
  }

  private static long exchanged(Analysis.OfClass rank, DataType type) {
    return rank.traffic().stream()
        .filter(t -> t.kind().equals("all-to-all") && t.type() == type)
        .mapToLong(Analysis.Traffic::bytes)
        .sum();
  }

  /** Forward once and backward once each way: 7392 bytes a row go, 14336 come back. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", expert_gates: activation"})
  void rowsGoInEightBitsWithScalesAndComeBackInSixteen(String gates) {
    Analysis.OfClass rank = rank("fp8", gates);
    // Gates that weigh at experts travel there, a number a row, and their gradients back.
    long weights = gates.isEmpty() ? 0 : 2 * ROWS * 4;
    assertThat(exchanged(rank, DataType.FP8)).isEqualTo(2 * ROWS * 7168);
    assertThat(exchanged(rank, DataType.FP32)).isEqualTo(2 * ROWS * 4 * 56 + weights);
    assertThat(exchanged(rank, DataType.BF16)).isEqualTo(2 * ROWS * 7168 * 2);
    assertThat(exchanged(rank, DataType.FP8) + exchanged(rank, DataType.FP32) - weights)
        .isEqualTo(2 * ROWS * 7392);
  }

  @Test
  void withoutTheKeyAllFourExchangesStayInSixteenBits() {
    Analysis.OfClass rank = rank("precision", "");
    assertThat(exchanged(rank, DataType.BF16)).isEqualTo(4 * ROWS * 7168 * 2);
    assertThat(exchanged(rank, DataType.FP8) + exchanged(rank, DataType.FP32)).isZero();
  }

  @Test
  void productsAndParametersAreTheSame() {
    assertThat(rank("fp8", "").flops()).isEqualTo(rank("precision", "").flops());
    assertThat(rank("fp8", "").parameters()).isEqualTo(rank("precision", "").parameters());
  }

  /** The rows that experts keep have 56 scales each; one of all rows is known between steps. */
  @Test
  void whatExpertsKeepHasItsScales() {
    long scales = ROWS * 56 * 4;
    assertThat(rank("fp8", "").memory().activations())
        .isEqualTo(rank("precision", "").memory().activations() + scales);
  }

  private static List<Node.Compute> kernels(String end) {
    ExecutionGraph graph =
        Jobs.job(DEEPSEEK.formatted("fp8", "")).workload().classes().get(0).graph();
    return graph.nodes().stream()
        .filter(node -> node.name().endsWith(end) && node instanceof Node.Compute)
        .map(Node.Compute.class::cast)
        .toList();
  }

  /** Tokens are cast before they are dispatched, not their rows: 2 bytes read, 1 written. */
  @Test
  void aTokenIsCastOnceForAllItsExperts() {
    Node.Compute cast = kernels("moe.dispatch_cast").get(0);
    assertThat(cast.bytesRead()).isEqualTo(4096L * 7168 * 2);
    assertThat(cast.bytesWritten()).isEqualTo(4096L * (7168 + 56 * 4));
  }

  /** 8 experts of [7168, 2048] in 8 bits with one scale, and rows with theirs. */
  @Test
  void expertsReadWhatCame() {
    Node.Compute gate = kernels("moe.experts.gate").get(0);
    assertThat(gate.operator()).isEqualTo("scaled_einsum");
    assertThat(gate.bytesRead()).isEqualTo(ROWS * 7392 + 8L * 7168 * 2048 + 4);
    assertThat(gate.bytesWritten()).isEqualTo(ROWS * 2048 * 2);
    assertThat(kernels("moe.experts.down.dgrad").get(0).bytesRead())
        .isEqualTo(ROWS * 7392 + 8L * 7168 * 2048 + 4);
  }
}
