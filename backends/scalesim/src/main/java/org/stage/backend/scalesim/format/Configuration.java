package org.stage.backend.scalesim.format;

import java.util.List;
import java.util.Locale;

/**
 * A configuration that both v2 and v3 load.
 *
 * @param runName the folder of the results
 * @param array the array
 * @param sramKb buffers of the inputs, the weights and the outputs, kB of words, of which half is
 *     in use at a time; a word of SCALE-Sim is one element, whatever its type
 * @param wordsPerCycle bandwidth to memory; 0 lets SCALE-Sim take what it needs
 * @param largestMatrix elements of the largest matrix of the topologies
 */
public record Configuration(
    String runName,
    SystolicArray array,
    List<Long> sramKb,
    long wordsPerCycle,
    long largestMatrix) {
  /** Where weights and outputs begin in published configurations, and a good deal to look at. */
  private static final long SPACING = 1_000_000_000;

  /** Copies the list. */
  public Configuration {
    sramKb = List.copyOf(sramKb);
  }

  /** The text of the file. */
  public String text() {
    long spacing = spacing();
    // v2 takes Bandwidth for all three matrices, v3 the bank's for inputs and weights
    long words = wordsPerCycle == 0 ? 10 : wordsPerCycle;
    return String.format(
        Locale.ROOT,
        """
        [general]
        run_name = %s

        [architecture_presets]
        ArrayHeight: %d
        ArrayWidth: %d
        IfmapSramSzkB: %d
        FilterSramSzkB: %d
        OfmapSramSzkB: %d
        IfmapOffset: 0
        FilterOffset: %d
        OfmapOffset: %d
        Bandwidth: %d
        Dataflow: %s
        MemoryBanks: 1
        ReadRequestBuffer: 128
        WriteRequestBuffer: 128

        [layout]
        IfmapCustomLayout: False
        IfmapSRAMBankBandwidth: %d
        IfmapSRAMBankNum: 1
        IfmapSRAMBankPort: 2
        FilterCustomLayout: False
        FilterSRAMBankBandwidth: %d
        FilterSRAMBankNum: 1
        FilterSRAMBankPort: 2

        [sparsity]
        SparsitySupport: false

        [run_presets]
        InterfaceBandwidth: %s
        UseRamulatorTrace: False
        """,
        runName,
        array.height(),
        array.width(),
        sramKb.get(0),
        sramKb.get(1),
        sramKb.get(2),
        spacing,
        Math.multiplyExact(2, spacing),
        words,
        array.dataflow().text(),
        words,
        words,
        wordsPerCycle == 0 ? "CALC" : "USER");
  }

  /** Apart enough that no matrix runs into the addresses of the next. */
  private long spacing() {
    long spacing = SPACING;
    while (spacing <= largestMatrix) {
      spacing = Math.multiplyExact(spacing, 10);
    }
    return spacing;
  }
}
