package org.stage.cli;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.stage.api.workload.Hardware;
import org.stage.app.Catalogue;
import org.stage.app.Json;
import org.stage.workloadfile.HardwarePresets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stage hardware}. */
@Command(name = "hardware", description = "Lists the devices that a workload file can name.")
final class HardwareCommand implements Callable<Integer> {
  private final Stage stage;

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  HardwareCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    if (json) {
      List<Map<String, Object>> devices =
          Catalogue.devices().stream().map(HardwareCommand::fields).toList();
      Json.print(stage.world().out(), devices);
      return ExitCode.DONE;
    }
    Table table =
        new Table("device", ">memory, GB", ">GB/s", "peak, TFLOP/s by data type", "source");
    for (HardwarePresets.Preset device : Catalogue.devices()) {
      Hardware hardware = device.hardware();
      table.row(
          hardware.name(),
          Units.decimal(hardware.memoryGb()),
          Units.decimal(hardware.memoryGbPerS()),
          peaks(hardware.peakTflops()),
          device.source());
    }
    table.print(stage.world().out());
    return ExitCode.DONE;
  }

  private static Map<String, Object> fields(HardwarePresets.Preset device) {
    Hardware hardware = device.hardware();
    return Json.object(
        "name", hardware.name(),
        "memory_gb", BigDecimal.valueOf(hardware.memoryGb()),
        "memory_gb_per_s", BigDecimal.valueOf(hardware.memoryGbPerS()),
        "peak_tflops", peaks(hardware),
        "source", device.source());
  }

  private static Map<String, Object> peaks(Hardware hardware) {
    Map<String, Object> peaks = new TreeMap<>();
    hardware.peakTflops().forEach((type, peak) -> peaks.put(type, BigDecimal.valueOf(peak)));
    return peaks;
  }

  private static String peaks(Map<String, Double> peaks) {
    return new TreeMap<>(peaks)
        .entrySet().stream()
            .map(entry -> entry.getKey() + " " + Units.decimal(entry.getValue()))
            .collect(Collectors.joining(", "));
  }
}
