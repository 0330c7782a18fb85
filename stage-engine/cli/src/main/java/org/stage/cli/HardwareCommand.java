package org.stage.cli;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.stage.api.workload.Hardware;
import org.stage.app.Catalogue;
import org.stage.workloadfile.HardwarePresets;
import picocli.CommandLine.Command;

/** {@code stage hardware}. */
@Command(name = "hardware", description = "Lists the devices that a workload file can name.")
final class HardwareCommand implements Callable<Integer> {
  private final Stage stage;

  HardwareCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
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

  private static String peaks(Map<String, Double> peaks) {
    return new TreeMap<>(peaks)
        .entrySet().stream()
            .map(entry -> entry.getKey() + " " + Units.decimal(entry.getValue()))
            .collect(Collectors.joining(", "));
  }
}
