package org.stage.backend.scalesim;

import java.util.List;
import java.util.Map;
import org.stage.backend.scalesim.format.Dataflow;
import org.stage.backend.scalesim.format.SystolicArray;

/**
 * The arrays of one device.
 *
 * @param name the preset, or {@code custom}
 * @param array one of them
 * @param arrays how many there are
 * @param clockMhz their clock, 10^6 a second; 0 if unknown
 */
record Target(String name, SystolicArray array, int arrays, double clockMhz) {
  private static final SystolicArray MXU = new SystolicArray(128, 128, Dataflow.WS);

  /** Buffers of an array in kB for inputs, weights, outputs: a guess, as nobody publishes them. */
  static final List<Long> SRAM_KB = List.of(8192L, 8192L, 4096L);

  /**
   * Devices whose matrix units are published. Arrays, cells, 2 FLOPs and the clock multiply to the
   * published peaks of 275 and 197 TFLOP/s.
   */
  static final Map<String, Target> PRESETS =
      Map.of(
          "tpu-v4", new Target("tpu-v4", MXU, 8, 1050),
          "tpu-v5e", new Target("tpu-v5e", MXU, 4, 1500));

  /** One matrix unit, of no device. */
  static final Target NONE = new Target("custom", MXU, 1, 0);
}
