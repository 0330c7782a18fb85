package org.stage.backend.simai;

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
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Calls the exporter as a host does. */
final class Exports {
  private Exports() {}

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    Map<String, String> given = new TreeMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    SimaiExporter exporter = new SimaiExporter();
    OptionValues values = OptionValues.of("test", exporter.options(), given);
    RankSet all = RankSet.parse("0-" + (workload.mesh().devices() - 1));
    return exporter.export(workload, new Context(directory, values, all, Progress.NONE));
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
