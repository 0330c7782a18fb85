package org.stage.backend.chakra;

import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;

/**
 * A device as ASTRA-sim's roofline sees it.
 *
 * @param known whether the workload names it; else the figures are only a default
 * @param peakTflops 10^12 FLOP/s
 * @param memoryGbPerS 10^9 bytes a second
 */
record Device(boolean known, double peakTflops, double memoryGbPerS) {
  /** An H100 SXM at 16 bits. */
  private static final Device DEFAULT = new Device(false, 989, 3350);

  static Device of(Workload workload) {
    if (workload.hardware().isEmpty()) {
      return DEFAULT;
    }
    Hardware hardware = workload.hardware().get();
    Double peak = hardware.peakTflops().get(workload.precision().activations().text());
    return peak == null ? DEFAULT : new Device(true, peak, hardware.memoryGbPerS());
  }

  /** How long a kernel takes: the longer of computing and of moving its bytes. */
  double nanoseconds(long operations, long bytes) {
    return Math.max(operations / (peakTflops * 1e3), bytes / memoryGbPerS);
  }
}
