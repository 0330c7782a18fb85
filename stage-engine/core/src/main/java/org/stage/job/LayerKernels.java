package org.stage.job;

/**
 * How layers compute what the model says.
 *
 * @param flashAttention whether scores are computed again in backward instead of kept
 * @param causalFlops whether only half of the score and value products count
 * @param dropout whether to train with dropout, where the model's kind has it
 */
public record LayerKernels(boolean flashAttention, boolean causalFlops, boolean dropout) {}
