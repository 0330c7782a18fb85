package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Calls the exporter as a host does, on workloads written as text. */
final class Exports {
  private Exports() {}

  /** A job of one rank that executes {@code nodes}. */
  static Workload job(String... nodes) {
    return jobOn("", nodes);
  }

  static Workload jobOn(String hardware, String... nodes) {
    return ExecutionText.parseWorkload(
        """
        workload w
        model tiny
        mesh tp=1
        precision weights=bf16 activations=bf16 gradients=fp32
        %sclass stage=0 ranks=0
        %s
        """
            .formatted(hardware, String.join("\n", nodes)));
  }

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    return export(workload, directory, "0-" + (workload.mesh().devices() - 1), options);
  }

  static ExportReport export(Workload workload, Path directory, String ranks, String[] options)
      throws IOException {
    Map<String, String> given = new TreeMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    ScaleSimExporter exporter = new ScaleSimExporter();
    OptionValues values = OptionValues.of("test", exporter.options(), given);
    return exporter.export(
        workload, new Context(directory, values, RankSet.parse(ranks), Progress.NONE));
  }

  /** The rows of a topology without its header. */
  static List<String> rows(Path directory, String name) throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve(name));
    return lines.subList(1, lines.size());
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
