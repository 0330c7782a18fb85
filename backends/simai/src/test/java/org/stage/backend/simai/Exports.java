package org.stage.backend.simai;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.testkit.TestExport;

/** Calls the exporter as a host does. */
final class Exports {
  private Exports() {}

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    TestExport export = TestExport.of(new SimaiExporter());
    for (int i = 0; i < options.length; i += 2) {
      export.option(options[i], options[i + 1]);
    }
    return export.run(workload, directory);
  }

  /** The rows of the exported {@code w.txt}, their fields with blanks between. */
  static List<String> rows(Workload workload, Path directory, String... options)
      throws IOException {
    export(workload, directory, options);
    return rows(directory.resolve("w.txt"));
  }

  static List<String> rows(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.subList(2, lines.size()).stream().map(line -> line.replace('\t', ' ')).toList();
  }
}
