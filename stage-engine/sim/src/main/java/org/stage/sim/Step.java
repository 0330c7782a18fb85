package org.stage.sim;

/**
 * A node of one rank of a set of alike ranks.
 *
 * @param set the number of the set
 * @param node the node's id
 */
record Step(int set, int node) {}
