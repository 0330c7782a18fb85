package org.stage.plugin.pytorchet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.plugin.RunContext;
import org.stage.testkit.TestImport;

/** Runs the importer as the host does. */
final class Imports {
  private Imports() {}

  static Imported read(Path file, Path... others) throws IOException {
    PyTorchEtImporter importer = new PyTorchEtImporter();
    RunContext context = TestImport.context(importer, Map.of());
    List<Path> companions = importer.companions(file, List.of(others));
    return companions.isEmpty()
        ? importer.read(file, context)
        : importer.readWith(file, companions, context);
  }
}
