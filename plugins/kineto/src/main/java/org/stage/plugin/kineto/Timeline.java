package org.stage.plugin.kineto;

import java.util.Arrays;
import org.stage.plugin.kineto.format.Trace;

/**
 * Events of the device in order of time, and where one reaches into the next of its stream. Some of
 * that is real (dependent launches, graphs), some is a profiler's clock that failed.
 */
final class Timeline {
  /** Times may be whole microseconds, so that a rounded end lies behind a rounded beginning. */
  private static final long TOLERANCE_NS = 1_000;

  private final Trace trace;
  private final int[] order;
  private final long[] clipped;
  private long overlaps;
  private long overlapNs;

  /**
   * Looks at the events of {@code trace}.
   *
   * @param clip whether an event ends where the next of its stream begins
   */
  Timeline(Trace trace, boolean clip) {
    this.trace = trace;
    this.order = trace.devicesInOrder();
    this.clipped = new long[clip ? trace.devices() : 0];
    for (int i = 0; i < clipped.length; i++) {
      clipped[i] = trace.deviceDuration(i);
    }
    int[] last = new int[trace.lanes()];
    Arrays.fill(last, -1);
    for (int device : order) {
      look(device, last);
    }
  }

  private void look(int device, int[] last) {
    int lane = trace.deviceLane(device);
    int before = last[lane];
    if (before < 0) {
      last[lane] = device;
      return;
    }
    long end = trace.deviceStart(before) + trace.deviceDuration(before);
    long over = end - trace.deviceStart(device);
    if (over > TOLERANCE_NS) {
      overlaps++;
      overlapNs = Math.addExact(overlapNs, Math.min(over, trace.deviceDuration(device)));
      if (clipped.length > 0) {
        clipped[before] =
            Math.min(clipped[before], trace.deviceStart(device) - trace.deviceStart(before));
      }
    }
    if (clipped.length > 0 || trace.deviceStart(device) + trace.deviceDuration(device) >= end) {
      last[lane] = device;
    }
  }

  int[] order() {
    return order;
  }

  /** How long an event took, nanoseconds. */
  long duration(int device) {
    return clipped.length == 0 ? trace.deviceDuration(device) : clipped[device];
  }

  /** How many events begin before an earlier one of their stream is over. */
  long overlaps() {
    return overlaps;
  }

  /** The time that is counted twice by them, nanoseconds. */
  long overlapNs() {
    return overlapNs;
  }
}
