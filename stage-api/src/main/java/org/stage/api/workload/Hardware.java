package org.stage.api.workload;

import java.util.Map;

/**
 * A device, as far as exporters and estimates want to know it.
 *
 * <p>Later versions may add components. Each then keeps a constructor with the components of the
 * version before, so that a plugin built against that one still runs.
 *
 * @param name a preset's name, or {@code custom}
 * @param peakTflops dense matrix throughput by data type's {@link DataType#text() text}, 10^12
 *     FLOP/s
 * @param memoryGb memory capacity, 10^9 bytes
 * @param memoryGbPerS memory bandwidth, 10^9 bytes a second
 */
public record Hardware(
    String name, Map<String, Double> peakTflops, double memoryGb, double memoryGbPerS) {
  /** Copies the map. */
  public Hardware {
    peakTflops = Map.copyOf(peakTflops);
  }
}
