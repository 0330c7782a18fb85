package org.stage.plugin.kineto;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.RunContext;

/** Runs the importer as the host does. */
final class Imports {
  private Imports() {}

  static Imported read(Path file, String... options) throws IOException {
    KinetoImporter importer = new KinetoImporter();
    Map<String, String> given = options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
    OptionValues values = OptionValues.of("", importer.options(), given);
    return importer.read(file, new Context(values));
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
