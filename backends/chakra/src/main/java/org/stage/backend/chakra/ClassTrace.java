package org.stage.backend.chakra;

import java.util.List;
import org.stage.api.workload.Mesh;
import org.stage.backend.chakra.format.TraceTemplate;

/**
 * The trace of a class of ranks.
 *
 * @param template what they share
 * @param slots in what they differ
 */
record ClassTrace(TraceTemplate template, List<Slot> slots) {
  /** What {@code rank} puts into the holes of the template. */
  byte[][] fills(int rank, Mesh mesh, RankGroups groups) {
    return slots.stream().map(slot -> slot.fill(rank, mesh, groups)).toArray(byte[][]::new);
  }
}
