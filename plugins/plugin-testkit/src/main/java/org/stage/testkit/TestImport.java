package org.stage.testkit;

import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Plugin;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.RunContext;

/**
 * What the host gives to an importer or a transform for one call. Nobody listens, and nobody stops
 * it.
 *
 * <pre>{@code
 * Imported imported = importer.read(file, TestImport.context(importer, Map.of("rank", "3")));
 * }</pre>
 */
public final class TestImport {
  private TestImport() {}

  /**
   * The context of a call.
   *
   * @param importer whose options they are
   * @param options by name, as a user types them; the others have their defaults
   */
  public static RunContext context(Plugin importer, Map<String, String> options) {
    return context(importer, options, Progress.NONE, () -> {});
  }

  /**
   * The context of a call that is listened to, or stopped.
   *
   * @param importer whose options they are
   * @param options by name, as a user types them; the others have their defaults
   * @param progress takes word of progress
   * @param onCheck what happens when it asks whether the run goes on
   */
  public static RunContext context(
      Plugin importer, Map<String, String> options, Progress progress, Runnable onCheck) {
    return new Context(OptionValues.of("test", importer.options(), options), progress, onCheck);
  }

  private record Context(OptionValues options, Progress progress, Runnable onCheck)
      implements RunContext {
    @Override
    public void checkCancelled() {
      onCheck.run();
    }

    @Override
    public Logger log() {
      return NOPLogger.NOP_LOGGER;
    }
  }
}
