package org.stage.backend.chakra.check;

import java.util.Set;
import java.util.SortedSet;
import org.stage.api.diagnostic.Faults;

/**
 * What the checks of one trace set share.
 *
 * @param ranks those with a file
 * @param absent those without, though others communicate with them; so far
 * @param communicators the groups
 * @param kinds unusual kinds of attributes, so far
 * @param system how the simulator is told to run them
 * @param names names of nodes
 * @param faults what was found, so far
 */
record SetContext(
    Set<Integer> ranks,
    SortedSet<Integer> absent,
    Communicators communicators,
    Kinds kinds,
    SystemKeys system,
    Names names,
    Faults faults) {
  /** Whether a rank has a file; if not, it is noted as absent. */
  boolean has(int rank) {
    if (ranks.contains(rank)) {
      return true;
    }
    absent.add(rank);
    return false;
  }
}
