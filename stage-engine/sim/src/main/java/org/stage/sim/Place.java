package org.stage.sim;

import java.util.List;

/**
 * Where the partners of a rank are in one relation.
 *
 * @param dimension the network dimension in which the rank and they lie
 * @param members how many ranks communicate, this one included
 * @param sets the sets of ranks of which they are, each once, ascending
 */
record Place(int dimension, int members, List<Integer> sets) {}
