package org.stage.api.graph;

import java.util.regex.Pattern;

/**
 * What an operator computes, by name. Constants are those of the engine; a fused operator, or one
 * of somebody's own, has another name. What is known of each, the engine's rules say.
 *
 * @param text the name in module files and graphs: {@code layer_norm_grad}
 */
public record OperatorKind(String text) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  /** Contraction of two operands over the axes that the output lacks. */
  public static final OperatorKind EINSUM = new OperatorKind("einsum");

  /** {@code (x, scale) -> x / scale} in 8 bits, with the maximum for the next scale. */
  public static final OperatorKind QUANTIZE = new OperatorKind("quantize");

  /** {@code x -> (x / scales, scales)}: in 8 bits, each block of a row by its own maximum. */
  public static final OperatorKind QUANTIZE_BLOCKS = new OperatorKind("quantize_blocks");

  /** {@code (a, b, scale of a, scale of b) -> y}: contraction of two operands of 8 bits. */
  public static final OperatorKind SCALED_EINSUM = new OperatorKind("scaled_einsum");

  /**
   * Flash attention: {@code (q, k, v) -> (o, lse)}; scores and values, plus a softmax on the fly.
   */
  public static final OperatorKind ATTENTION = new OperatorKind("attention");

  /** {@code (do, q, k, v, o, lse) -> (dq, dk, dv)}: the scores again and four products. */
  public static final OperatorKind ATTENTION_GRAD = new OperatorKind("attention_grad");

  /**
   * {@code (o, lse, o, lse) -> (o, lse)}: joins attention to two parts of the keys, by the
   * log-sum-exp of each; two products and a sum per element.
   */
  public static final OperatorKind ATTENTION_MERGE = new OperatorKind("attention_merge");

  /** Softmax over the last axis: maximum, difference, exponential, sum, quotient. */
  public static final OperatorKind SOFTMAX = new OperatorKind("softmax");

  /** {@code (dy, y) -> dx}: product, sum, difference, product. */
  public static final OperatorKind SOFTMAX_GRAD = new OperatorKind("softmax_grad");

  /** Sum of its inputs; inputs with fewer axes are broadcast. Partial sums pass through. */
  public static final OperatorKind ADD = new OperatorKind("add");

  /** Sum over the axes that the output lacks. */
  public static final OperatorKind REDUCE_SUM = new OperatorKind("reduce_sum");

  /** {@code (x, weight[, bias]) -> y}: mean, variance (3), scale (2), weight, bias. */
  public static final OperatorKind LAYER_NORM = new OperatorKind("layer_norm");

  /** {@code (dy, x, weight) -> (dx, dweight[, dbias])}. */
  public static final OperatorKind LAYER_NORM_GRAD = new OperatorKind("layer_norm_grad");

  /** {@code (x, weight) -> y}: square, sum, scale, weight. */
  public static final OperatorKind RMS_NORM = new OperatorKind("rms_norm");

  /** {@code (dy, x, weight) -> (dx, dweight)}. */
  public static final OperatorKind RMS_NORM_GRAD = new OperatorKind("rms_norm_grad");

  /** Gaussian error linear unit, tanh form. */
  public static final OperatorKind GELU = new OperatorKind("gelu");

  /** {@code (dy, x) -> dx}. */
  public static final OperatorKind GELU_GRAD = new OperatorKind("gelu_grad");

  /** {@code (gate, up[, weights]) -> silu(gate) * up [* weights]}, a weight for each row. */
  public static final OperatorKind SWIGLU = new OperatorKind("swiglu");

  /** {@code (dy, gate, up[, weights]) -> (dgate, dup[, dweights])}. */
  public static final OperatorKind SWIGLU_GRAD = new OperatorKind("swiglu_grad");

  /** Rotary position embedding: two products and a sum per element. */
  public static final OperatorKind ROTARY = new OperatorKind("rotary");

  /** The inverse rotation of the gradient. */
  public static final OperatorKind ROTARY_GRAD = new OperatorKind("rotary_grad");

  /**
   * {@code (table, indices) -> rows}: a gather, no product; a sharded table yields partial sums.
   */
  public static final OperatorKind LOOKUP = new OperatorKind("lookup");

  /** {@code (dy, indices) -> dtable}: a scatter-add of rows. */
  public static final OperatorKind LOOKUP_GRAD = new OperatorKind("lookup_grad");

  /** Identity that pins the placement which its axes imply (GSPMD's sharding constraint). */
  public static final OperatorKind CONSTRAIN = new OperatorKind("constrain");

  /** Identity that pins which part of the tensor lies where; partial sums stay partial sums. */
  public static final OperatorKind REDISTRIBUTE = new OperatorKind("redistribute");

  /** The same as {@code redistribute}; its gradient is cast by blocks before it goes back. */
  public static final OperatorKind QUANTIZE_GRADIENT = new OperatorKind("quantize_gradient");

  /** The same as {@code constrain}, and pins the placement of the gradient alike. */
  public static final OperatorKind PIN = new OperatorKind("pin");

  /** Consecutive parts along the last axis: the memory of its input, no work. */
  public static final OperatorKind SPLIT = new OperatorKind("split");

  /**
   * Joins its inputs along the last axis; one that lacks other axes of the output is repeated along
   * them.
   */
  public static final OperatorKind CONCAT = new OperatorKind("concat");

  /** Maximum over the axes that the output lacks; sharded, it yields partial maxima. */
  public static final OperatorKind REDUCE_MAX = new OperatorKind("reduce_max");

  /** {@code (logits, labels, max) -> logit of the label minus max}; zero where it is elsewhere. */
  public static final OperatorKind TARGET_LOGIT = new OperatorKind("target_logit");

  /** {@code (logits, max) -> sum of exp(logits - max)} over the axis that the output lacks. */
  public static final OperatorKind EXP_SUM = new OperatorKind("exp_sum");

  /** {@code (exp_sum, target) -> log(exp_sum) - target}: the cross-entropy of each token. */
  public static final OperatorKind NEGATIVE_LOG_LIKELIHOOD =
      new OperatorKind("negative_log_likelihood");

  /**
   * {@code (logits, labels, max, sum) -> dlogits}: softmax, made again, minus one-hot, in one
   * kernel, which writes it over the logits.
   */
  public static final OperatorKind CROSS_ENTROPY_GRAD = new OperatorKind("cross_entropy_grad");

  /** {@code x -> (y, mask)}: draws a mask, and scales what passes. */
  public static final OperatorKind DROPOUT = new OperatorKind("dropout");

  /** {@code (dy, mask) -> dx}. */
  public static final OperatorKind DROPOUT_GRAD = new OperatorKind("dropout_grad");

  /**
   * {@code (tokens, gates) -> rows of each expert}: a gather by the chosen experts, no product; the
   * tokens may be the gates themselves.
   */
  public static final OperatorKind DISPATCH = new OperatorKind("dispatch");

  /** {@code (drows, gates) -> dtokens}: the sum of what the chosen experts give back. */
  public static final OperatorKind DISPATCH_GRAD = new OperatorKind("dispatch_grad");

  /**
   * {@code (rows[, gates]) -> tokens}: the sum of the chosen experts' rows, weighted by the gates;
   * without, as they come.
   */
  public static final OperatorKind COMBINE = new OperatorKind("combine");

  /** {@code (dtokens[, rows, gates]) -> (drows[, dgates])}. */
  public static final OperatorKind COMBINE_GRAD = new OperatorKind("combine_grad");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it is not made of lower case letters, digits and
   *     underscores, a letter first
   */
  public OperatorKind {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not an operator kind");
    }
  }

  /** The name. */
  @Override
  public String toString() {
    return text;
  }
}
