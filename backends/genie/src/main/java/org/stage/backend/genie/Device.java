package org.stage.backend.genie;

import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Node;
import org.stage.api.workload.Roofline;
import org.stage.api.workload.Workload;

/**
 * How long kernels take, by the roofline.
 *
 * @param roofline the device's
 * @param slowdown how many times longer kernels take than that, or a measurement, says
 */
record Device(Roofline roofline, double slowdown) {
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
    Roofline roofline =
        Roofline.of(hardware, workload.precision().activations())
            .orElseThrow(
                () ->
                    new InputException(
                        "hardware",
                        "the peak of "
                            + hardware.name()
                            + " at "
                            + type
                            + " is not known: Genie needs durations",
                        "Give peak_tflops and memory_gb_per_s."));
    return new Device(roofline, 1);
  }

  /** The same, slower by {@code factor}. */
  Device slowedBy(double factor) {
    return new Device(roofline, slowdown * factor);
  }

  /** What was measured; else what the roofline says. */
  double nanoseconds(Node.Compute node) {
    return slowdown
        * (node.details().durationNs().isPresent()
            ? (double) node.details().durationNs().getAsLong()
            : roofline.nanoseconds(node));
  }
}
