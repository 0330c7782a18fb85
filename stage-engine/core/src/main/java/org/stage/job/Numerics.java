package org.stage.job;

import org.stage.api.workload.Precision;

/**
 * Data types of a step.
 *
 * @param precision of weights, activations and gradients
 * @param eightBitProducts whether layers multiply by their weights in 8 bits
 * @param eightBitDispatch whether rows go to experts in 8 bits, and the gradients of what they make
 *     of them; needs products in 8 bits
 */
public record Numerics(Precision precision, boolean eightBitProducts, boolean eightBitDispatch) {}
