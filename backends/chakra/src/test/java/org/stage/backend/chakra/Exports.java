package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.testkit.TestExport;

/** Calls the exporter as a host does. */
final class Exports {
  private Exports() {}

  static ExportReport export(Workload workload, Path directory) throws IOException {
    return export(workload, directory, Map.of());
  }

  static ExportReport export(Workload workload, Path directory, Map<String, String> options)
      throws IOException {
    return export(workload, directory, options, "");
  }

  static ExportReport export(
      Workload workload, Path directory, Map<String, String> options, String ranks)
      throws IOException {
    return TestExport.of(new ChakraExporter())
        .options(options)
        .ranks(ranks)
        .run(workload, directory);
  }
}
