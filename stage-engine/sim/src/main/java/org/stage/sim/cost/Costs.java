package org.stage.sim.cost;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Node;
import org.stage.api.workload.Workload;

/**
 * How long the nodes of a job take.
 *
 * @param kernels of its devices; of which nothing is known takes a microsecond
 * @param network of communications
 * @param unit whether each kernel takes a microsecond, whatever is known of it
 * @param free whether communications take no time at all, whatever the network
 */
public record Costs(KernelTimes kernels, NetworkModel network, boolean unit, boolean free) {
  private static final long MICROSECOND = 1_000_000;
  private static final long PICOSECONDS = 1_000;

  /** One way, 10^9 bytes a second. */
  private static final double HOST_GB_PER_S = 64;

  /**
   * The costs of a job.
   *
   * @param unit whether each kernel takes a microsecond, even if the device is known
   * @param free whether communications take no time
   */
  public static Costs of(Workload workload, boolean unit, boolean free) {
    Optional<Hardware> device = unit ? Optional.empty() : workload.hardware();
    KernelTimes kernels = KernelTimes.of(device, workload.precision().activations());
    return new Costs(kernels, NetworkModel.of(workload), unit, free);
  }

  /** The same for devices that are slower by {@code factor}. */
  public Costs slowedBy(double factor) {
    return new Costs(kernels.slowedBy(factor), network, unit, free);
  }

  /**
   * Whether a model of the device is used; else kernels of which nothing is known take the unit.
   */
  public boolean usesDevice() {
    return kernels.device().isPresent();
  }

  /** How long a kernel takes, picoseconds. */
  public long picoseconds(Node.Compute kernel) {
    OptionalDouble known = unit ? OptionalDouble.empty() : kernels.picoseconds(kernel);
    return Math.round(known.orElse(MICROSECOND * kernels.slowdown()));
  }

  /** How long it takes to move bytes to host memory or from there, over PCIe 5.0 x16. */
  public long picosecondsOfHostMemory(Node move, long bytes) {
    OptionalLong known = move.details().durationNs();
    return known.isPresent()
        ? Math.multiplyExact(known.getAsLong(), PICOSECONDS)
        : Math.round(Math.multiplyExact(bytes, PICOSECONDS) / HOST_GB_PER_S);
  }

  /** How long a communication takes, picoseconds, if that was measured and it is not free. */
  public OptionalLong measured(Node communication) {
    OptionalLong known = communication.details().durationNs();
    return known.isPresent() && !free
        ? OptionalLong.of(Math.multiplyExact(known.getAsLong(), PICOSECONDS))
        : OptionalLong.empty();
  }

  /**
   * How long a communication takes that was not measured, picoseconds.
   *
   * @see NetworkModel#picoseconds
   */
  public long picoseconds(NodeKind kind, long bytes, Spread spread) {
    return free ? 0 : network.picoseconds(kind, bytes, spread);
  }
}
