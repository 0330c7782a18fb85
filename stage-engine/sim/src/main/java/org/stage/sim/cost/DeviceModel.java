package org.stage.sim.cost;

import java.util.Optional;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;

/** How long kernels take on a device, of those that nobody measured. */
public interface DeviceModel {
  /** The duration of {@code kernel}, nanoseconds. */
  double nanoseconds(Kernel kernel);

  /**
   * The model of {@code hardware}.
   *
   * @param activations the type of a job's activations
   * @return empty if too little is known of it, such as no peak at that type
   */
  static Optional<DeviceModel> of(Hardware hardware, DataType activations) {
    return Roofline.of(hardware, activations).map(roofline -> roofline);
  }
}
