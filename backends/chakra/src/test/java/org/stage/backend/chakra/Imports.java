package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.RankClass;
import org.stage.testkit.TestImport;

/** Calls the importer as a host does. */
final class Imports {
  private Imports() {}

  /** Reads a set, and holds the result to what an importer promises. */
  static Imported read(Path directory) throws IOException {
    ChakraImporter importer = new ChakraImporter();
    Imported imported = importer.read(directory, TestImport.context(importer, Map.of()));
    imported.workload().verify();
    for (RankClass each : imported.workload().classes()) {
      each.graph().verify();
    }
    return imported;
  }

  /** Reads a set and writes it again. */
  static ExportReport convert(Path from, Path to, Map<String, String> options) throws IOException {
    Files.createDirectories(to);
    return Exports.export(read(from).workload(), to, options);
  }
}
