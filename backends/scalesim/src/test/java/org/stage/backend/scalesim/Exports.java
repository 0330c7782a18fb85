package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

/** Calls the exporter as a host does, on workloads written as text. */
final class Exports {
  private Exports() {}

  /** A job of one rank that executes {@code nodes}. */
  static Workload job(String... nodes) {
    return jobOn("", nodes);
  }

  static Workload jobOn(String hardware, String... nodes) {
    return Corpus.job("tp=1", hardware, nodes);
  }

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    return export(workload, directory, "", options);
  }

  static ExportReport export(Workload workload, Path directory, String ranks, String[] options)
      throws IOException {
    TestExport export = TestExport.of(new ScaleSimExporter()).ranks(ranks);
    for (int i = 0; i < options.length; i += 2) {
      export.option(options[i], options[i + 1]);
    }
    return export.run(workload, directory);
  }

  /** The rows of a topology without its header. */
  static List<String> rows(Path directory, String name) throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve(name));
    return lines.subList(1, lines.size());
  }
}
