package org.stage.api.graph;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The closed set of operators, with what is known of each without looking at a model: how many
 * matrix products it makes over its iteration space, and what the rest of its work costs.
 *
 * <p>A matrix product over an iteration space of {@code n} points counts {@code 2 n} FLOPs (one
 * multiply-add is 2). {@link #costPerElement} counts the other operations, per element of the
 * largest operand; a transcendental function counts as one.
 */
public enum OperatorKind {
  /** Contraction of two operands over the axes that the output lacks. */
  EINSUM(1, 0, true),
  /** {@code (x, scale) -> x / scale} in 8 bits, with the maximum for the next scale. */
  QUANTIZE(0, 2, false),
  /** {@code (a, b, scale of a, scale of b) -> y}: contraction of two operands of 8 bits. */
  SCALED_EINSUM(1, 0, true),
  /**
   * Flash attention: {@code (q, k, v) -> (o, lse)}; scores and values, plus a softmax on the fly.
   */
  ATTENTION(2, 0, false),
  /** {@code (do, q, k, v, o, lse) -> (dq, dk, dv)}: the scores again and four products. */
  ATTENTION_GRAD(5, 0, false),
  /**
   * {@code (o, lse, o, lse) -> (o, lse)}: joins attention to two parts of the keys, by the
   * log-sum-exp of each; two products and a sum per element.
   */
  ATTENTION_MERGE(0, 3, false),
  /** Softmax over the last axis: maximum, difference, exponential, sum, quotient. */
  SOFTMAX(0, 5, false),
  /** {@code (dy, y) -> dx}: product, sum, difference, product. */
  SOFTMAX_GRAD(0, 4, false),
  /** Sum of its inputs; inputs with fewer axes are broadcast. Partial sums pass through. */
  ADD(0, 1, true),
  /** Sum over the axes that the output lacks. */
  REDUCE_SUM(0, 1, true),
  /** {@code (x, weight[, bias]) -> y}: mean, variance (3), scale (2), weight, bias. */
  LAYER_NORM(0, 8, false),
  /** {@code (dy, x, weight) -> (dx, dweight[, dbias])}. */
  LAYER_NORM_GRAD(0, 14, false),
  /** {@code (x, weight) -> y}: square, sum, scale, weight. */
  RMS_NORM(0, 4, false),
  /** {@code (dy, x, weight) -> (dx, dweight)}. */
  RMS_NORM_GRAD(0, 10, false),
  /** Gaussian error linear unit, tanh form. */
  GELU(0, 8, false),
  /** {@code (dy, x) -> dx}. */
  GELU_GRAD(0, 13, false),
  /** {@code (gate, up[, weights]) -> silu(gate) * up [* weights]}, a weight for each row. */
  SWIGLU(0, 5, false),
  /** {@code (dy, gate, up[, weights]) -> (dgate, dup[, dweights])}. */
  SWIGLU_GRAD(0, 10, false),
  /** Rotary position embedding: two products and a sum per element. */
  ROTARY(0, 3, true),
  /** The inverse rotation of the gradient. */
  ROTARY_GRAD(0, 3, true),
  /**
   * {@code (table, indices) -> rows}: a gather, no product; a sharded table yields partial sums.
   */
  LOOKUP(0, 0, false),
  /** {@code (dy, indices) -> dtable}: a scatter-add of rows. */
  LOOKUP_GRAD(0, 1, true),
  /** Identity that pins the placement which its axes imply (GSPMD's sharding constraint). */
  CONSTRAIN(0, 0, false),
  /** Consecutive parts along the last axis: the memory of its input, no work. */
  SPLIT(0, 0, true),
  /**
   * Joins its inputs along the last axis; one that lacks other axes of the output is repeated along
   * them.
   */
  CONCAT(0, 0, false),
  /** Maximum over the axes that the output lacks; sharded, it yields partial maxima. */
  REDUCE_MAX(0, 1, false),
  /** {@code (logits, labels, max) -> logit of the label minus max}; zero where it is elsewhere. */
  TARGET_LOGIT(0, 0, false),
  /** {@code (logits, max) -> sum of exp(logits - max)} over the axis that the output lacks. */
  EXP_SUM(0, 3, false),
  /** {@code (exp_sum, target) -> log(exp_sum) - target}: the cross-entropy of each token. */
  NEGATIVE_LOG_LIKELIHOOD(0, 2, false),
  /**
   * {@code (logits, labels, max, sum) -> dlogits}: softmax, made again, minus one-hot, in one
   * kernel, which writes it over the logits.
   */
  CROSS_ENTROPY_GRAD(0, 4, false),
  /** {@code x -> (y, mask)}: draws a mask, and scales what passes. */
  DROPOUT(0, 2, false),
  /** {@code (dy, mask) -> dx}. */
  DROPOUT_GRAD(0, 1, false),
  /**
   * {@code (tokens, gates) -> rows of each expert}: a gather by the chosen experts, no product; the
   * tokens may be the gates themselves.
   */
  DISPATCH(0, 0, false),
  /** {@code (drows, gates) -> dtokens}: the sum of what the chosen experts give back. */
  DISPATCH_GRAD(0, 1, false),
  /**
   * {@code (rows[, gates]) -> tokens}: the sum of the chosen experts' rows, weighted by the gates;
   * without, as they come.
   */
  COMBINE(0, 2, false),
  /** {@code (dtokens[, rows, gates]) -> (drows[, dgates])}. */
  COMBINE_GRAD(0, 3, false);

  private final int products;
  private final int costPerElement;
  private final boolean linear;

  OperatorKind(int products, int costPerElement, boolean linear) {
    this.products = products;
    this.costPerElement = costPerElement;
    this.linear = linear;
  }

  /** Matrix products over the iteration space. */
  public int products() {
    return products;
  }

  /** Other operations per element of the largest operand. */
  public int costPerElement() {
    return costPerElement;
  }

  /**
   * Whether it is linear in each input apart, so that partial sums of one input give partial sums
   * of the output and no collective is needed.
   */
  public boolean isLinear() {
    return linear;
  }

  /** Whether its output takes the place of its first input, where nobody else reads that. */
  public boolean worksInPlace() {
    return this == CROSS_ENTROPY_GRAD;
  }

  /** The name in the textual form: lower case with underscores. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that textual name. */
  public static Optional<OperatorKind> ofText(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
