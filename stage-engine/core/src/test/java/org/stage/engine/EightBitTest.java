package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.Instruction;
import org.stage.plan.JobPlan;
import org.stage.plan.Program;

/** Training whose layers multiply in 8 bits: what of it is 8 bits, and what stays. */
class EightBitTest {
  private static final String JOB =
      "{model: {family: llama, layers: 2, hidden: 64, heads: 8, kv_heads: 8, ffn: 160, vocab: 1024},"
          + " mesh: {tp: 2, dp: 2}, training: {global_batch: 4, seq: 32, sequence_parallel: true,"
          + " precision: %s, zero: 1}}";
  private static final long STREAM = 32 * 64;

  @Test
  void whatIsGatheredForProductsIsGatheredInEightBits() {
    Analysis.OfClass rank = rank("fp8");
    long microBatches = 2;
    // Forward 2 a layer; backward 2 of gradients and 2 of inputs again.
    assertThat(elements(rank, "all-gather", DataType.FP8))
        .isEqualTo(microBatches * 2 * 6 * STREAM / 2);
    // The head's: forward, backward again; the embedding's gradient.
    assertThat(elements(rank, "all-gather", DataType.BF16))
        .isEqualTo(microBatches * 3 * STREAM / 2);
    assertThat(elements(rank, "reduce-scatter", DataType.BF16))
        .isEqualTo(elements(rank("bf16"), "reduce-scatter", DataType.BF16));
  }

  @Test
  void productsAreAsManyAsInSixteenBits() {
    assertThat(rank("fp8").flops()).isEqualTo(rank("bf16").flops());
    assertThat(rank("fp8").parameters()).isEqualTo(rank("bf16").parameters());
  }

  @Test
  void aProductReadsOneByteAnElementAndTwoScales() {
    ExecutionGraph graph = Jobs.job(JOB.formatted("fp8")).workload().classes().get(0).graph();
    Node.Compute up =
        graph.nodes().stream()
            .filter(node -> node.name().equals("mb0.layers.0.mlp.up"))
            .map(Node.Compute.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(up.operator()).isEqualTo("scaled_einsum");
    assertThat(up.bytesRead()).isEqualTo(STREAM + 64 * 160 / 2 + 2 * 4);
    assertThat(up.bytesWritten()).isEqualTo(2 * 32 * 160 / 2);
  }

  @Test
  void operandsOfAProductSayTheirTypes() {
    Job job = Jobs.spec(JOB.formatted("fp8"));
    ModuleLibrary library = ModuleLibrary.standard();
    JobPlan plan = JobPlan.of(job, ModelGraph.of(job, library), library);
    Program forward = plan.layers().values().iterator().next().forward();
    Instruction up =
        forward.instructions().stream()
            .filter(each -> each.name().equals("mlp.up"))
            .findFirst()
            .orElseThrow();
    assertThat(up.reads())
        .extracting(read -> forward.variables().get(read).type().type())
        .containsExactly(DataType.FP8, DataType.FP8, DataType.FP32, DataType.FP32);
    assertThat(up.writes())
        .extracting(written -> forward.variables().get(written).type().type())
        .containsExactly(DataType.BF16);
  }

  @Test
  void attentionRouterEmbeddingAndHeadStayInSixteenBits() {
    ExecutionGraph graph = Jobs.job(JOB.formatted("fp8")).workload().classes().get(0).graph();
    List<String> plain =
        graph.nodes().stream()
            .filter(
                node -> node instanceof Node.Compute kernel && kernel.operator().equals("einsum"))
            .map(Node::name)
            .filter(name -> name.startsWith("mb0"))
            .toList();
    assertThat(plain)
        .containsExactly("mb0.head.logits", "mb0.head.logits.dgrad", "mb0.head.logits.wgrad");
  }

  @Test
  void masterCopiesStayInSinglePrecision() {
    assertThat(rank("fp8").memory().optimizer()).isEqualTo(rank("bf16").memory().optimizer());
    assertThat(rank("fp8").memory().parameters()).isEqualTo(rank("bf16").memory().parameters());
  }

  @Test
  void whatIsKeptForWeightGradientsIsKeptInEightBits() {
    // Inputs of qkv, of gate and up, and of down are; that of output is kept besides, in 16 bits,
    // for the gradient of attention.
    assertThat(rank("fp8").memory().activations()).isLessThan(rank("bf16").memory().activations());
  }

  private static long elements(Analysis.OfClass rank, String kind, DataType type) {
    return rank.traffic().stream()
        .filter(t -> t.kind().equals(kind) && t.axis().equals("tp") && t.type() == type)
        .mapToLong(Analysis.Traffic::elements)
        .sum();
  }

  private static Analysis.OfClass rank(String precision) {
    return Jobs.job(JOB.formatted(precision)).analysis().classes().get(0);
  }
}
