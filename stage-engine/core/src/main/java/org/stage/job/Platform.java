package org.stage.job;

import java.util.List;
import java.util.Optional;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;

/**
 * The machine of a job.
 *
 * @param hardware the device, if it was named
 * @param network network dimensions, innermost first, multiplying to the devices; empty if not
 *     given and not known from the hardware
 * @param collectives how estimates take a collective through several dimensions
 */
public record Platform(
    Optional<Hardware> hardware, List<NetworkDimension> network, Collectives collectives) {
  /** Copies the list. */
  public Platform {
    network = List.copyOf(network);
  }
}
