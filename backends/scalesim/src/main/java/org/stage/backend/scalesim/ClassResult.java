package org.stage.backend.scalesim;

import java.util.Map;
import org.stage.api.workload.RankSet;

/**
 * What was written for one class of ranks.
 *
 * @param topology the file
 * @param stage pipeline rank
 * @param ranks the ranks
 * @param tally what one of them computes
 * @param rows rows of the topology
 * @param cycles what the products of a step take
 * @param need what SCALE-Sim needs to simulate them
 */
record ClassResult(
    String topology,
    int stage,
    RankSet ranks,
    ClassTally tally,
    long rows,
    Cycles cycles,
    Need need) {
  /**
   * Cycles of all products of a step, on the busiest array.
   *
   * @param elapsed one product after the other
   * @param byPhase the same by part of the step
   */
  record Cycles(long elapsed, Map<String, Long> byPhase) {}

  /**
   * What the simulator needs.
   *
   * @param largestMatrix elements of the largest matrix, for which the addresses must leave room
   * @param bytes memory for the largest row, about
   */
  record Need(long largestMatrix, double bytes) {}
}
