package org.stage.job;

import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How experts are split, and how many rows they have.
 *
 * @param tp tensor parallelism of experts: the innermost ranks of {@code tp} that split one; those
 *     outside hold copies
 * @param capacity factor over a uniform load that bounds the rows of an expert; dropless if empty
 * @param padded whether each expert has rows up to its capacity, whatever its load
 * @param loads how rows are spread over experts, the last that covers a layer; uniform without
 * @param gatesInActivation whether gates weigh in the experts' activation function
 * @param wholeTokens whether all tensor-parallel ranks route and dispatch all tokens, which they
 *     gather before, and their gradients are all-reduced
 */
public record ExpertStrategy(
    int tp,
    OptionalDouble capacity,
    boolean padded,
    List<Load> loads,
    boolean gatesInActivation,
    boolean wholeTokens) {
  /** Copies the list. */
  public ExpertStrategy {
    loads = List.copyOf(loads);
  }

  /** Dropless, with a uniform load. */
  public static ExpertStrategy uniform(int tp) {
    return new ExpertStrategy(tp, OptionalDouble.empty(), true, List.of(), false, false);
  }

  /**
   * How rows are spread over the experts of some layers.
   *
   * @param layers the layers, by name: {@code layers.*}
   * @param weights for each expert, over their sum its share of the rows
   */
  public record Load(NamePattern layers, List<BigDecimal> weights) {
    /** Copies the list. */
    public Load {
      weights = List.copyOf(weights);
    }
  }
}
