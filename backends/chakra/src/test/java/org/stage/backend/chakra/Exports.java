package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Calls the exporter as a host does. */
final class Exports {
  private Exports() {}

  static ExportReport export(Workload workload, Path directory) throws IOException {
    return export(workload, directory, Map.of());
  }

  static ExportReport export(Workload workload, Path directory, Map<String, String> options)
      throws IOException {
    return export(workload, directory, options, "0-" + (workload.mesh().devices() - 1));
  }

  static ExportReport export(
      Workload workload, Path directory, Map<String, String> options, String ranks)
      throws IOException {
    ChakraExporter exporter = new ChakraExporter();
    OptionValues values = OptionValues.of("test", exporter.options(), options);
    return exporter.export(
        workload, new Context(directory, values, RankSet.parse(ranks), Progress.NONE));
  }

  record Context(Path directory, OptionValues options, RankSet ranks, Progress progress)
      implements ExportContext {
    @Override
    public void checkCancelled() {}

    @Override
    public Logger log() {
      return NOPLogger.NOP_LOGGER;
    }
  }
}
