package org.stage.instantiate;

/**
 * A tensor at a place in the graph.
 *
 * @param node the node that wrote it, or -1 if it was there from the start
 * @param tensor index into the graph's tensors, or -1
 */
record Handle(int node, int tensor) {
  /** No tensor. */
  static final Handle NONE = new Handle(-1, -1);
}
