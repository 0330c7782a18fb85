package org.stage.sim.cost;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Node;

/**
 * How long kernels take on the devices of a job: as measured where that is known, else as the model
 * of the device says, and on slow devices that many times longer.
 *
 * @param device the model; empty if too little is known of the device
 * @param slowdown the factor
 */
public record KernelTimes(Optional<DeviceModel> device, double slowdown) {
  private static final double PICOSECONDS = 1e3;

  /** Those of devices that are not slowed down; {@code activations} is their type. */
  public static KernelTimes of(Optional<Hardware> hardware, DataType activations) {
    return new KernelTimes(hardware.flatMap(each -> DeviceModel.of(each, activations)), 1);
  }

  /** The same for devices that are slower by {@code factor}. */
  public KernelTimes slowedBy(double factor) {
    return new KernelTimes(device, slowdown * factor);
  }

  /**
   * The duration of {@code node}, nanoseconds; empty if neither a measurement nor a model tells.
   */
  public OptionalDouble nanoseconds(Node.Compute node) {
    return nanoseconds(Kernel.of(node), measured(node));
  }

  /** The duration of {@code kernel}, nanoseconds, if so many nanoseconds were measured of it. */
  public OptionalDouble nanoseconds(Kernel kernel, OptionalDouble measured) {
    return in(1, kernel, measured);
  }

  /** The same in picoseconds. */
  public OptionalDouble picoseconds(Node.Compute node) {
    return in(PICOSECONDS, Kernel.of(node), measured(node));
  }

  private static OptionalDouble measured(Node.Compute node) {
    OptionalLong known = node.details().durationNs();
    return known.isPresent()
        ? OptionalDouble.of((double) known.getAsLong())
        : OptionalDouble.empty();
  }

  /** The unit comes before the slowdown, so that a job's times stay the same to the last bit. */
  private OptionalDouble in(double unit, Kernel kernel, OptionalDouble measured) {
    if (measured.isPresent()) {
      return OptionalDouble.of(measured.getAsDouble() * unit * slowdown);
    }
    return device.isPresent()
        ? OptionalDouble.of(device.get().nanoseconds(kernel) * unit * slowdown)
        : OptionalDouble.empty();
  }
}
