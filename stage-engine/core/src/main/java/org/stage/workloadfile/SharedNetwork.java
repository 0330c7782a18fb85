package org.stage.workloadfile;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.job.Job;

/**
 * The network of several jobs side by side.
 *
 * @param dimensions innermost first, multiplying to all devices; empty if nothing is known of it
 * @param replaced whether it stands for one of another size that the first file names
 */
public record SharedNetwork(List<NetworkDimension> dimensions, boolean replaced) {
  /** Copies the list. */
  public SharedNetwork {
    dimensions = List.copyOf(dimensions);
  }

  /**
   * The network of {@code devices}: that of the first file if it has this size; else that in which
   * the hardware of the first file is sold; else one switch as fast as the slowest dimension of the
   * first file.
   */
  public static SharedNetwork of(Job first, int devices) {
    List<NetworkDimension> given = first.platform().network();
    long size = given.stream().mapToLong(NetworkDimension::size).reduce(1, (a, b) -> a * b);
    if (!given.isEmpty() && size == devices) {
      return new SharedNetwork(given, false);
    }
    Optional<HardwarePresets.Preset> sold =
        first.platform().hardware().flatMap(HardwarePresets::of);
    if (sold.isPresent() && sold.get().network(first.mesh().devices()).equals(given)) {
      return new SharedNetwork(sold.get().network(devices), false);
    }
    return given.isEmpty()
        ? new SharedNetwork(given, false)
        : new SharedNetwork(List.of(oneSwitch(given, devices)), true);
  }

  /** All devices on one switch, as fast as the slowest of {@code links}. */
  static NetworkDimension oneSwitch(List<NetworkDimension> links, int devices) {
    NetworkDimension slowest =
        links.stream().min(Comparator.comparingDouble(NetworkDimension::gbPerS)).orElseThrow();
    return new NetworkDimension(
        Topology.SWITCH, devices, slowest.gbPerS(), slowest.latencyNs(), slowest.reached());
  }
}
