package org.stage.backend.scalesim;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.OptionValues;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;
import org.stage.backend.scalesim.format.Dataflow;
import org.stage.backend.scalesim.format.SystolicArray;

/**
 * The user's options.
 *
 * @param expand whether every instance has a row of its own
 * @param target the arrays
 * @param splitter how products are dealt to them
 * @param sramKb buffers of an array, kB: inputs, weights, outputs
 * @param guessedSram whether nobody said those
 * @param wordsPerCycle bandwidth of an array to memory, elements; 0 if unlimited
 */
record Settings(
    boolean expand,
    Target target,
    Splitter splitter,
    List<Long> sramKb,
    boolean guessedSram,
    long wordsPerCycle) {
  /** Beyond it, a side of an array is a slip. */
  private static final long MAX_SIDE = 65_536;

  static final List<Option> OPTIONS =
      List.of(
          Option.ofBoolean(
              "expand", false, "a row for every instance, instead of distinct shapes with counts"),
          Option.ofChoice(
              "preset",
              List.of("hardware", "tpu-v4", "tpu-v5e", "none"),
              "whose arrays: the workload's hardware, a device, none (one array of 128 x 128)"),
          Option.ofInteger("height", 0, "rows of an array; 0: the preset's"),
          Option.ofInteger("width", 0, "columns of an array; 0: the preset's"),
          Option.ofChoice(
              "dataflow", List.of("ws", "os", "is"), "which operand stays in the array"),
          Option.ofInteger("arrays", 0, "arrays that share the work; 0: the preset's"),
          Option.ofChoice(
              "split", List.of("n", "m"), "cut a product over arrays along columns or rows"),
          Option.ofInteger("clock-mhz", 0, "clock of the arrays; 0: the preset's"),
          Option.ofString(
              "sram-kb", "", "buffers of an array for inputs,weights,outputs, such as 512,512,256"),
          Option.ofInteger(
              "bandwidth", 0, "elements a cycle to memory, with stalls; 0: as many as it needs"));

  static Settings of(OptionValues options, Workload workload) {
    Target preset = preset(options.get("preset"), workload);
    int height = (int) within(options, "height", MAX_SIDE, preset.array().height());
    int width = (int) within(options, "width", MAX_SIDE, preset.array().width());
    Dataflow dataflow = Dataflow.valueOf(options.get("dataflow").toUpperCase(Locale.ROOT));
    int arrays = (int) within(options, "arrays", MAX_SIDE, preset.arrays());
    SystolicArray array = new SystolicArray(height, width, dataflow);
    double clock = within(options, "clock-mhz", 1_000_000, 0);
    Target target =
        new Target(preset.name(), array, arrays, clock == 0 ? preset.clockMhz() : clock);
    String sram = options.get("sram-kb");
    return new Settings(
        options.isSet("expand"),
        target,
        new Splitter(arrays, options.get("split").equals("n")),
        sram.isEmpty() ? Target.SRAM_KB : sram(sram),
        sram.isEmpty(),
        within(options, "bandwidth", 1_000_000_000, 0));
  }

  private static Target preset(String name, Workload workload) {
    String device =
        name.equals("hardware") ? workload.hardware().map(Hardware::name).orElse("") : name;
    return Target.PRESETS.getOrDefault(device, Target.NONE);
  }

  /** The option's value, or {@code otherwise} where it is 0. */
  private static long within(OptionValues options, String name, long limit, long otherwise) {
    long value = options.integer(name);
    if (value < 0 || value > limit) {
      throw new InputException(
          "exports.scalesim." + name,
          value + " is not between 0 and " + limit,
          "Choose one that is, or leave it out.");
    }
    return value == 0 ? otherwise : value;
  }

  private static List<Long> sram(String text) {
    if (!text.matches("[1-9]\\d{0,8},[1-9]\\d{0,8},[1-9]\\d{0,8}")) {
      throw new InputException(
          "exports.scalesim.sram-kb",
          "'" + text + "' is not three sizes in kB",
          "Write them as 512,512,256.");
    }
    return Arrays.stream(text.split(",")).map(Long::valueOf).toList();
  }
}
