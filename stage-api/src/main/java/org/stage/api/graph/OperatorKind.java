package org.stage.api.graph;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The operators that there are; what is known of them, the engine says. */
public enum OperatorKind {
  /** Contraction of two operands over the axes that the output lacks. */
  EINSUM,
  /** {@code (x, scale) -> x / scale} in 8 bits, with the maximum for the next scale. */
  QUANTIZE,
  /** {@code (a, b, scale of a, scale of b) -> y}: contraction of two operands of 8 bits. */
  SCALED_EINSUM,
  /**
   * Flash attention: {@code (q, k, v) -> (o, lse)}; scores and values, plus a softmax on the fly.
   */
  ATTENTION,
  /** {@code (do, q, k, v, o, lse) -> (dq, dk, dv)}: the scores again and four products. */
  ATTENTION_GRAD,
  /**
   * {@code (o, lse, o, lse) -> (o, lse)}: joins attention to two parts of the keys, by the
   * log-sum-exp of each; two products and a sum per element.
   */
  ATTENTION_MERGE,
  /** Softmax over the last axis: maximum, difference, exponential, sum, quotient. */
  SOFTMAX,
  /** {@code (dy, y) -> dx}: product, sum, difference, product. */
  SOFTMAX_GRAD,
  /** Sum of its inputs; inputs with fewer axes are broadcast. Partial sums pass through. */
  ADD,
  /** Sum over the axes that the output lacks. */
  REDUCE_SUM,
  /** {@code (x, weight[, bias]) -> y}: mean, variance (3), scale (2), weight, bias. */
  LAYER_NORM,
  /** {@code (dy, x, weight) -> (dx, dweight[, dbias])}. */
  LAYER_NORM_GRAD,
  /** {@code (x, weight) -> y}: square, sum, scale, weight. */
  RMS_NORM,
  /** {@code (dy, x, weight) -> (dx, dweight)}. */
  RMS_NORM_GRAD,
  /** Gaussian error linear unit, tanh form. */
  GELU,
  /** {@code (dy, x) -> dx}. */
  GELU_GRAD,
  /** {@code (gate, up[, weights]) -> silu(gate) * up [* weights]}, a weight for each row. */
  SWIGLU,
  /** {@code (dy, gate, up[, weights]) -> (dgate, dup[, dweights])}. */
  SWIGLU_GRAD,
  /** Rotary position embedding: two products and a sum per element. */
  ROTARY,
  /** The inverse rotation of the gradient. */
  ROTARY_GRAD,
  /**
   * {@code (table, indices) -> rows}: a gather, no product; a sharded table yields partial sums.
   */
  LOOKUP,
  /** {@code (dy, indices) -> dtable}: a scatter-add of rows. */
  LOOKUP_GRAD,
  /** Identity that pins the placement which its axes imply (GSPMD's sharding constraint). */
  CONSTRAIN,
  /** Consecutive parts along the last axis: the memory of its input, no work. */
  SPLIT,
  /**
   * Joins its inputs along the last axis; one that lacks other axes of the output is repeated along
   * them.
   */
  CONCAT,
  /** Maximum over the axes that the output lacks; sharded, it yields partial maxima. */
  REDUCE_MAX,
  /** {@code (logits, labels, max) -> logit of the label minus max}; zero where it is elsewhere. */
  TARGET_LOGIT,
  /** {@code (logits, max) -> sum of exp(logits - max)} over the axis that the output lacks. */
  EXP_SUM,
  /** {@code (exp_sum, target) -> log(exp_sum) - target}: the cross-entropy of each token. */
  NEGATIVE_LOG_LIKELIHOOD,
  /**
   * {@code (logits, labels, max, sum) -> dlogits}: softmax, made again, minus one-hot, in one
   * kernel, which writes it over the logits.
   */
  CROSS_ENTROPY_GRAD,
  /** {@code x -> (y, mask)}: draws a mask, and scales what passes. */
  DROPOUT,
  /** {@code (dy, mask) -> dx}. */
  DROPOUT_GRAD,
  /**
   * {@code (tokens, gates) -> rows of each expert}: a gather by the chosen experts, no product; the
   * tokens may be the gates themselves.
   */
  DISPATCH,
  /** {@code (drows, gates) -> dtokens}: the sum of what the chosen experts give back. */
  DISPATCH_GRAD,
  /**
   * {@code (rows[, gates]) -> tokens}: the sum of the chosen experts' rows, weighted by the gates;
   * without, as they come.
   */
  COMBINE,
  /** {@code (dtokens[, rows, gates]) -> (drows[, dgates])}. */
  COMBINE_GRAD;

  /** The name in the textual form: lower case with underscores. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that textual name. */
  public static Optional<OperatorKind> ofText(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
