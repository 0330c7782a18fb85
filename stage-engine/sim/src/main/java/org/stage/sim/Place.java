package org.stage.sim;

import java.util.List;
import org.stage.sim.cost.Spread;

/**
 * Where the partners of a rank are in one relation.
 *
 * @param spread how the rank and they are spread over the network
 * @param sets the sets of ranks of which they are, each once, ascending
 */
record Place(Spread spread, List<Integer> sets) {}
