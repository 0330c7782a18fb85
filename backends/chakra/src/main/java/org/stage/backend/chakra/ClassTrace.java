package org.stage.backend.chakra;

import java.util.List;
import org.stage.backend.chakra.format.TraceTemplate;

/**
 * The trace of a class of ranks.
 *
 * @param groups the communicators of their job
 * @param template what they share
 * @param slots in what they differ
 */
record ClassTrace(RankGroups groups, TraceTemplate template, List<Slot> slots) {
  /** What {@code rank} puts into the holes of the template. */
  byte[][] fills(int rank) {
    return slots.stream().map(slot -> slot.fill(rank, groups)).toArray(byte[][]::new);
  }
}
