package org.stage.job;

import org.stage.api.workload.Precision;

/**
 * Data types of a step.
 *
 * @param precision of weights, activations and gradients
 * @param eightBitProducts whether layers multiply by their weights in 8 bits
 */
public record Numerics(Precision precision, boolean eightBitProducts) {}
