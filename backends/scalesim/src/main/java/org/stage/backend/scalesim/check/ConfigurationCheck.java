package org.stage.backend.scalesim.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.scalesim.format.Dataflow;
import org.stage.backend.scalesim.format.FormatException;
import org.stage.backend.scalesim.format.IniFile;
import org.stage.backend.scalesim.format.SystolicArray;

/** Checks a configuration for what v2 and v3 require of it. */
final class ConfigurationCheck {
  private static final String ARCHITECTURE = "architecture_presets";
  private static final String LAYOUT = "layout";
  private static final String RUN = "run_presets";

  private final Path file;
  private final Faults faults;

  ConfigurationCheck(Path file, Faults faults) {
    this.file = file;
    this.faults = faults;
  }

  /** The array, if the configuration says a sound one. */
  Optional<SystolicArray> run() throws IOException {
    IniFile ini;
    try {
      ini = IniFile.read(file);
    } catch (FormatException e) {
      faults.error(e.source(), e.problem(), "SCALE-Sim stops on it.");
      return Optional.empty();
    }
    require(ini, "general", "run_name", true);
    checkBandwidth(ini);
    checkThird(ini);
    if (ini.get("network_presets", "TopologyCsvLoc").isPresent()) {
      faults.warning(
          file.toString(), "TopologyCsvLoc is looked up where it is not", "Use the option -t.");
    }
    return array(ini);
  }

  private Optional<SystolicArray> array(IniFile ini) {
    Optional<Integer> height = whole(ini, ARCHITECTURE, "ArrayHeight", 1, true);
    Optional<Integer> width = whole(ini, ARCHITECTURE, "ArrayWidth", 1, true);
    for (String buffer : List.of("IfmapSramSzkB", "FilterSramSzkB", "OfmapSramSzkB")) {
      whole(ini, ARCHITECTURE, buffer, 1, true);
    }
    for (String offset : List.of("IfmapOffset", "FilterOffset", "OfmapOffset")) {
      require(ini, ARCHITECTURE, offset, true).ifPresent(text -> wholeLong(offset, text));
    }
    Optional<String> dataflow = require(ini, ARCHITECTURE, "Dataflow", true);
    Optional<Dataflow> known =
        List.of(Dataflow.values()).stream()
            .filter(each -> dataflow.filter(each.text()::equals).isPresent())
            .findFirst();
    if (dataflow.isPresent() && known.isEmpty()) {
      faults.error(
          file.toString(),
          "Dataflow is '" + dataflow.get() + "'",
          "Expected os, ws or is, in lower case.");
    }
    return height.isEmpty() || width.isEmpty() || known.isEmpty()
        ? Optional.empty()
        : Optional.of(new SystolicArray(height.get(), width.get(), known.get()));
  }

  private void checkBandwidth(IniFile ini) {
    Optional<String> mode = require(ini, RUN, "InterfaceBandwidth", true);
    if (mode.isPresent() && !List.of("CALC", "USER").contains(mode.get())) {
      faults.error(
          file.toString(),
          "InterfaceBandwidth is '" + mode.get() + "', on which the whole file is passed over",
          "Expected CALC or USER, in capitals.");
    }
    if (mode.filter("USER"::equals).isPresent()) {
      require(ini, ARCHITECTURE, "Bandwidth", true)
          .ifPresent(text -> wholeLong("Bandwidth", text.split(",")[0].strip()));
      checkBanks(ini, "Ifmap");
      checkBanks(ini, "Filter");
    }
  }

  /** In v3, inputs and weights come with the bandwidth of the banks, not with that of memory. */
  private void checkBanks(IniFile ini, String of) {
    Optional<Integer> bandwidth = whole(ini, LAYOUT, of + "SRAMBankBandwidth", 1, false);
    Optional<Integer> banks = whole(ini, LAYOUT, of + "SRAMBankNum", 1, false);
    if (bandwidth.isPresent() && banks.isPresent() && bandwidth.get() % banks.get() != 0) {
      faults.error(
          file.toString(),
          of
              + "SRAMBankBandwidth of "
              + bandwidth.get()
              + " does not divide over "
              + banks.get()
              + " banks: v3 stops",
          "Make it a multiple.");
    }
  }

  private void checkThird(IniFile ini) {
    require(ini, RUN, "UseRamulatorTrace", false);
    whole(ini, ARCHITECTURE, "ReadRequestBuffer", 1, false);
    whole(ini, ARCHITECTURE, "WriteRequestBuffer", 1, false);
    for (String of : List.of("Ifmap", "Filter")) {
      require(ini, LAYOUT, of + "CustomLayout", false);
      for (String key : List.of("SRAMBankBandwidth", "SRAMBankNum", "SRAMBankPort")) {
        require(ini, LAYOUT, of + key, false);
      }
    }
    if (!ini.has("sparsity")) {
      faults.warning(file.toString(), "there is no section [sparsity]: v3 stops", "Add it.");
    }
  }

  private Optional<Integer> whole(
      IniFile ini, String section, String key, int least, boolean both) {
    Optional<String> text = require(ini, section, key, both);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().matches("\\d{1,9}") && Integer.parseInt(text.get()) >= least) {
      return Optional.of(Integer.valueOf(text.get()));
    }
    faults.error(
        file.toString(),
        key + " is '" + text.get() + "'",
        "Expected a whole number from " + least + " up.");
    return Optional.empty();
  }

  private void wholeLong(String key, String text) {
    if (!text.matches("\\d{1,18}")) {
      faults.error(file.toString(), key + " is '" + text + "'", "Expected a whole number.");
    }
  }

  /** The value; a fault without, for both versions or for v3 alone. */
  private Optional<String> require(IniFile ini, String section, String key, boolean both) {
    Optional<String> value = ini.get(section, key);
    if (value.isEmpty()) {
      String message = "[" + section + "] has no " + key;
      if (both) {
        faults.error(file.toString(), message, "SCALE-Sim stops without it.");
      } else {
        faults.warning(file.toString(), message + ": v3 stops", "Add it.");
      }
    }
    return value;
  }
}
