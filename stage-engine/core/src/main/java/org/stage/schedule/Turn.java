package org.stage.schedule;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One turn of a pipeline rank: one pass, or a forward and a backward pass that overlap, so that the
 * kernels of one run while the other communicates.
 *
 * @param slots one or two passes
 */
public record Turn(List<Slot> slots) {
  /** Copies the list. */
  public Turn {
    slots = List.copyOf(slots);
  }

  static Turn of(Pass pass, int chunk, int microBatch) {
    return new Turn(List.of(new Slot(pass, chunk, microBatch)));
  }

  /** {@code F3}, or {@code F3&B1.1}. */
  @Override
  public String toString() {
    return slots.stream().map(Slot::toString).collect(Collectors.joining("&"));
  }
}
