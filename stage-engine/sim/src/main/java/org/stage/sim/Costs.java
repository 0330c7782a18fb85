package org.stage.sim;

import java.util.Optional;
import java.util.OptionalLong;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Node;
import org.stage.api.workload.Roofline;
import org.stage.api.workload.Workload;

/**
 * How long nodes take.
 *
 * @param roofline of kernels; without it each takes a microsecond
 * @param network of communications
 * @param unit whether each kernel takes a microsecond, whatever is known of it
 * @param slowdown how many times longer kernels take than the roofline or a measurement says
 * @param free whether communications take no time at all, whatever the network
 */
public record Costs(
    Optional<Roofline> roofline, Network network, boolean unit, double slowdown, boolean free) {
  private static final long MICROSECOND = 1_000_000;
  private static final long PICOSECONDS = 1_000;

  /** One way, 10^9 bytes a second. */
  private static final double HOST_GB_PER_S = 64;

  /** Stands for the duration of a communication of which none is known. */
  static final long UNKNOWN = -1;

  /**
   * The costs of a job.
   *
   * @param unit whether each kernel takes a microsecond, even if the device is known
   * @param free whether communications take no time
   */
  public static Costs of(Workload workload, boolean unit, boolean free) {
    Optional<Roofline> roofline = unit ? Optional.empty() : Roofline.of(workload);
    return new Costs(roofline, Network.of(workload), unit, 1, free);
  }

  /** The same for devices that are slower by {@code factor}. */
  public Costs slowedBy(double factor) {
    return new Costs(roofline, network, unit, slowdown * factor, free);
  }

  /** How long a kernel takes; as measured, where that is known. */
  long picoseconds(Node.Compute kernel) {
    if (!unit && kernel.details().durationNs().isPresent()) {
      return Math.round(kernel.details().durationNs().getAsLong() * 1e3 * slowdown);
    }
    return roofline
        .map(line -> Math.round(line.nanoseconds(kernel) * 1e3 * slowdown))
        .orElse(Math.round(MICROSECOND * slowdown));
  }

  /** How long it takes to move bytes to host memory or from there, over PCIe 5.0 x16. */
  long picosecondsOfHostMemory(Node move, long bytes) {
    OptionalLong known = move.details().durationNs();
    return known.isPresent()
        ? Math.multiplyExact(known.getAsLong(), PICOSECONDS)
        : Math.round(bytes * PICOSECONDS / HOST_GB_PER_S);
  }

  /** How long a communication takes if that is known beforehand; else {@link #UNKNOWN}. */
  long known(Node communication) {
    OptionalLong known = communication.details().durationNs();
    return known.isPresent() && !free
        ? Math.multiplyExact(known.getAsLong(), PICOSECONDS)
        : UNKNOWN;
  }

  /** How long a communication takes of {@code bytes} with partners at {@code place}. */
  long picoseconds(NodeKind kind, long bytes, Place place) {
    return free ? 0 : network.picoseconds(kind, (double) bytes, place.members(), place.dimension());
  }
}
