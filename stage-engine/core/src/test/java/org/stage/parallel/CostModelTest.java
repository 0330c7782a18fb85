package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.job.ContextParallelism;

/** Costs on one of two tensor-parallel ranks, under a causal mask. */
class CostModelTest {
  private static KernelCost cost(String module, String more, String axes, String operator) {
    PlacedUnit unit = Placed.unit(module, more, axes, ContextParallelism.ALL_GATHER);
    return Stream.of(unit.forward(), unit.backward())
        .flatMap(program -> program.steps().stream())
        .filter(Step.Kernel.class::isInstance)
        .map(Step.Kernel.class::cast)
        .filter(kernel -> kernel.operator().name().equals(operator))
        .map(Step.Kernel::cost)
        .findFirst()
        .orElseThrow();
  }

  private static String work(KernelCost cost) {
    return cost.flops() + "; " + cost.otherFlops() + "; " + cost.shape();
  }

  private static String traffic(KernelCost cost) {
    return new TreeMap<>(cost.read()) + " -> " + new TreeMap<>(cost.written());
  }

  /** FLOPs of products: 2 for each point; then batch, m, n, k. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query        | 2*batch*embed*head_dim*heads*seq/tp | [1, batch*seq, head_dim*heads/tp, embed]",
        "output       | 2*batch*embed*head_dim*heads*seq/tp | [1, batch*seq, embed, head_dim*heads/tp]",
        "query.wgrad  | 2*batch*embed*head_dim*heads*seq/tp | [1, embed, head_dim*heads/tp, batch*seq]",
        // One product over half of the scores.
        "scores       | batch*head_dim*heads*seq^2/tp | [batch*heads/tp, seq, seq, head_dim]",
        "values       | batch*head_dim*heads*seq^2/tp | [batch*heads/tp, seq, head_dim, seq]",
        // A key/value head gathers from all query heads that it serves.
        "values.grad_1 | batch*head_dim*heads*seq^2/tp | [batch*kv_heads/tp, seq, head_dim, heads*seq/kv_heads]",
        "scores.grad_1 | batch*head_dim*heads*seq^2/tp | [batch*kv_heads/tp, head_dim, seq, heads*seq/kv_heads]"
      })
  void productsCountTwoForEachPoint(String operator, String flops, String shape) {
    KernelCost cost = cost("attention", "unfused_attention", "tp 2", operator);
    assertThat(work(cost)).isEqualTo(flops + "; 0; " + shape);
  }

  /** Two products forward, five backward, each 2 a point, over half of the scores. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "core      | 2*batch*head_dim*heads*seq^2/tp | 5*batch*heads*seq^2/tp",
        "core.grad | 5*batch*head_dim*heads*seq^2/tp | 9*batch*heads*seq^2/tp"
      })
  void flashAttentionCountsItsProductsAndItsSoftmax(String operator, String flops, String other) {
    KernelCost cost = cost("attention", "flash_attention", "tp 2", operator);
    assertThat(work(cost))
        .isEqualTo(flops + "; " + other + "; [batch*heads/tp, seq, seq, head_dim, head_dim]");
  }

  /** Of width q: scores, again, and their two gradients; of width v: values and their gradients. */
  @Test
  void queriesAndValuesMayDifferInWidth() {
    String features = "flash_attention plain_queries";
    assertThat(cost("latent_attention", features, "tp 2", "core").flops())
        .hasToString(
            "batch*heads*plain_dim*seq^2/tp + batch*heads*rotary_dim*seq^2/tp"
                + " + batch*heads*seq^2*value_dim/tp");
    assertThat(cost("latent_attention", features, "tp 2", "core.grad").flops())
        .hasToString(
            "3*batch*heads*plain_dim*seq^2/tp + 3*batch*heads*rotary_dim*seq^2/tp"
                + " + 2*batch*heads*seq^2*value_dim/tp");
  }

  @Test
  void withoutACausalMaskAttentionCountsWhole() {
    assertThat(cost("attention", "flash_attention", "cp 2", "core").flops())
        .hasToString("4*batch*head_dim*heads*seq^2/cp");
    assertThat(cost("attention", "unfused_attention", "cp 2", "scores").flops())
        .hasToString("2*batch*head_dim*heads*seq^2/cp");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "attention | query_rotary    | 3*batch*head_dim*heads*seq/tp",
        "attention | softmax         | 5*batch*heads*seq^2/tp",
        // Three addends: two additions an element.
        "attention | x.grad.sum      | 2*batch*embed*seq",
        "mlp       | activation      | 5*batch*mlp*seq/tp",
        "embedding | lookup          | 0",
        "embedding | lookup.grad     | batch*embed*seq",
        "head      | norm.norm       | 4*batch*embed*seq/tp",
        "head      | norm.norm.grad  | 10*batch*embed*seq/tp",
        "head      | logits_max      | batch*seq*vocab/tp",
        "head      | loss            | 2*batch*seq"
      })
  void otherOperationsCountForEachElement(String module, String operator, String other) {
    KernelCost cost = cost(module, "unfused_attention", "tp 2", operator);
    assertThat(work(cost)).isEqualTo("0; " + other + "; []");
  }

  /** Not the whole space of tokens and routes: only the rows of the chosen experts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dispatch      | 0",
        "dispatch.grad | embed*expert_rows/ep/tp",
        "combine       | 2*embed*expert_rows/ep/tp",
        "combine.grad  | 3*embed*expert_rows/ep/tp"
      })
  void rowsOfExpertsAreWhatIsWorkedOn(String operator, String other) {
    KernelCost cost = cost("moe", "", "tp 2, ep 2", operator);
    assertThat(work(cost)).isEqualTo("0; " + other + "; []");
  }

  @Test
  void productsOfExpertsAreABatch() {
    assertThat(work(cost("moe", "", "tp 2, ep 2", "experts.gate")))
        .isEqualTo(
            "2*embed*expert_mlp*held_rows/ep/tp; 0;"
                + " [experts/ep, held_rows/experts, expert_mlp/tp, embed]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mlp       | up           | {WEIGHT=embed*mlp/tp, ACTIVATION=batch*embed*seq} -> {ACTIVATION=batch*mlp*seq/tp}",
        // Gradients of weights are added to what lies there.
        "mlp       | up.wgrad     | {ACTIVATION=batch*embed*seq + batch*mlp*seq/tp, GRADIENT=embed*mlp/tp} -> {GRADIENT=embed*mlp/tp}",
        // Only the rows that are looked up, only the logits of the labels.
        "embedding | lookup       | {WEIGHT=batch*embed*seq, INDEX=batch*seq} -> {ACTIVATION=batch*embed*seq}",
        "embedding | lookup.grad  | {ACTIVATION=batch*embed*seq, GRADIENT=batch*embed*seq, INDEX=batch*seq} -> {GRADIENT=batch*embed*seq}",
        "head      | target_logit | {ACTIVATION=batch*seq, STATISTIC=batch*seq, INDEX=batch*seq} -> {STATISTIC=batch*seq}",
        "head      | exp_sum      | {ACTIVATION=batch*seq*vocab/tp, STATISTIC=batch*seq} -> {STATISTIC=batch*seq}"
      })
  void kernelsReadAndWriteTheirOperands(String module, String operator, String expected) {
    KernelCost cost = cost(module, "flash_attention", "tp 2", operator);
    String actual = traffic(cost);
    assertThat(actual).isEqualTo(expected);
  }
}
