package org.stage.api.plugin;

import org.slf4j.Logger;

/**
 * What the host gives to a plugin for one call. Belongs to that call: a plugin does not keep it.
 * All of it may be used from any thread.
 */
public interface RunContext {
  /** The user's options, complete and of the declared types. */
  OptionValues options();

  /** Where progress goes. */
  Progress progress();

  /**
   * Returns if the run goes on.
   *
   * @throws java.util.concurrent.CancellationException if the user has stopped it; the plugin lets
   *     it pass
   */
  void checkCancelled();

  /** The plugin's logger. */
  Logger log();
}
