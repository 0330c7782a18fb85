package org.stage.job;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;

/**
 * The machine of a job.
 *
 * @param hardware the device, if it was named
 * @param reservedGb what a framework takes of its memory beside what is counted, 10^9 bytes
 * @param network network dimensions, innermost first, multiplying to the devices; empty if not
 *     given and not known from the hardware
 * @param collectives how estimates take a collective through several dimensions
 */
public record Platform(
    Optional<Hardware> hardware,
    double reservedGb,
    List<NetworkDimension> network,
    Collectives collectives) {
  /** Copies the list. */
  public Platform {
    network = List.copyOf(network);
  }

  /** Bytes of a device that a job can have; empty if nothing is known of the device. */
  public OptionalDouble usableBytes() {
    return hardware
        .map(device -> OptionalDouble.of(Math.max(0, device.memoryGb() - reservedGb) * 1e9))
        .orElse(OptionalDouble.empty());
  }
}
