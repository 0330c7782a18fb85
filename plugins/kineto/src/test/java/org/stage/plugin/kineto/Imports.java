package org.stage.plugin.kineto;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.testkit.TestImport;

/** Runs the importer as the host does. */
final class Imports {
  private Imports() {}

  static Imported read(Path file, String... options) throws IOException {
    KinetoImporter importer = new KinetoImporter();
    Map<String, String> given = options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
    return importer.read(file, TestImport.context(importer, given));
  }
}
