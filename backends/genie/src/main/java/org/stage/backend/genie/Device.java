package org.stage.backend.genie;

import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Node;
import org.stage.api.workload.Workload;

/**
 * How long kernels take, by the roofline.
 *
 * @param peakTflops 10^12 FLOP/s
 * @param memoryGbPerS 10^9 bytes a second
 * @param slowdown how many times longer kernels take than that, or a measurement, says
 */
record Device(double peakTflops, double memoryGbPerS, double slowdown) {
  /** A sound device. */
  Device(double peakTflops, double memoryGbPerS) {
    this(peakTflops, memoryGbPerS, 1);
  }

  /** The workload's device, without which nobody knows how long Genie should wait. */
  static Device of(Workload workload) {
    Hardware hardware =
        workload
            .hardware()
            .orElseThrow(
                () ->
                    new InputException(
                        "hardware",
                        "is missing: Genie waits by the clock for every compute node, so each needs"
                            + " a duration",
                        "Name the hardware."));
    String type = workload.precision().activations().text();
    Double peak = hardware.peakTflops().get(type);
    if (peak == null || peak <= 0 || hardware.memoryGbPerS() <= 0) {
      throw new InputException(
          "hardware",
          "the peak of " + hardware.name() + " at " + type + " is not known: Genie needs durations",
          "Give peak_tflops and memory_gb_per_s.");
    }
    return new Device(peak, hardware.memoryGbPerS());
  }

  /** The same, slower by {@code factor}. */
  Device slowedBy(double factor) {
    return new Device(peakTflops, memoryGbPerS, slowdown * factor);
  }

  /** What was measured; else the longer of computing and of moving bytes. */
  double nanoseconds(Node.Compute node) {
    if (node.details().durationNs().isPresent()) {
      return node.details().durationNs().getAsLong() * slowdown;
    }
    double flops = (double) node.flops() + node.otherFlops();
    double bytes = (double) node.bytesRead() + node.bytesWritten();
    return Math.max(flops / (peakTflops * 1e3), bytes / memoryGbPerS) * slowdown;
  }
}
