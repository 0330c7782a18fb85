package org.stage.backend.genie;

import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Node;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.KernelTimes;

/**
 * A device of which it is known how long each kernel takes.
 *
 * @param kernels their durations, by a model of the device where they were not measured
 * @param memoryGbPerS memory bandwidth, 10^9 bytes a second
 */
record Device(KernelTimes kernels, double memoryGbPerS) {
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
    KernelTimes kernels = KernelTimes.of(workload.hardware(), workload.precision().activations());
    if (kernels.device().isEmpty()) {
      throw new InputException(
          "hardware",
          "the peak of "
              + hardware.name()
              + " at "
              + workload.precision().activations().text()
              + " is not known: Genie needs durations",
          "Give peak_tflops and memory_gb_per_s.");
    }
    return new Device(kernels, hardware.memoryGbPerS());
  }

  /** The same, slower by {@code factor}. */
  Device slowedBy(double factor) {
    return new Device(kernels.slowedBy(factor), memoryGbPerS);
  }

  /** How long {@code node} takes. */
  double nanoseconds(Node.Compute node) {
    return kernels.nanoseconds(node).orElseThrow();
  }
}
