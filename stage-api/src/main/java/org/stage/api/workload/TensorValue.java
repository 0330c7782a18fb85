package org.stage.api.workload;

/**
 * A tensor that nodes of an execution graph read or write, written once at most. Accumulations are
 * versioned: {@code layers.0.mlp.up.weight.grad#2} is written by the node that reads {@code #1}.
 * Parameters and optimizer states are there at the start.
 *
 * @param name unique in its graph
 * @param bytes its size on this rank
 */
public record TensorValue(String name, long bytes) {}
