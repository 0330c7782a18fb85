package org.stage.plugin.pytorchet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.RunContext;

/** Runs the importer as the host does. */
final class Imports {
  private static final RunContext CONTEXT = new Context(new OptionValues(Map.of()));

  private Imports() {}

  static Imported read(Path file, Path... others) throws IOException {
    PyTorchEtImporter importer = new PyTorchEtImporter();
    List<Path> companions = importer.companions(file, List.of(others));
    return companions.isEmpty()
        ? importer.read(file, CONTEXT)
        : importer.readWith(file, companions, CONTEXT);
  }

  private record Context(OptionValues options) implements RunContext {
    @Override
    public Progress progress() {
      return Progress.NONE;
    }

    @Override
    public void checkCancelled() {}

    @Override
    public Logger log() {
      return NOPLogger.NOP_LOGGER;
    }
  }
}
