package org.stage.job;

/**
 * What a step trains on.
 *
 * @param global sequences per step over the whole job
 * @param micro sequences per micro-batch and data-parallel rank
 * @param microBatches micro-batches per step and data-parallel rank
 * @param seq tokens per sequence
 */
public record Batch(long global, int micro, int microBatches, int seq) {}
