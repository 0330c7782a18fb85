package org.stage.instantiate;

/**
 * A tensor that passes between modules or stages.
 *
 * @param node the node that wrote it, or -1
 * @param tensor index into the graph's tensors
 */
record Handle(int node, int tensor) {}
