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
 * @param elapsedCycles cycles of all products of a step, on the busiest array
 * @param cyclesByPhase the same by part of the step
 * @param largestMatrix elements of the largest matrix
 * @param simulatorBytes memory that SCALE-Sim needs for the largest row, about
 */
record ClassResult(
    String topology,
    int stage,
    RankSet ranks,
    ClassTally tally,
    long rows,
    long elapsedCycles,
    Map<String, Long> cyclesByPhase,
    long largestMatrix,
    double simulatorBytes) {}
