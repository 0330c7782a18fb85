package org.stage.host;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.RunContext;

/**
 * What a plugin gets for one call that writes no files.
 *
 * @param plugin the id of the plugin, for its logger
 * @param options its options, checked
 * @param progress where progress goes
 * @param cancellation the user's wish to stop
 */
public record PluginContext(
    String plugin, OptionValues options, Progress progress, Cancellation cancellation)
    implements RunContext {
  @Override
  public void checkCancelled() {
    cancellation.check();
  }

  @Override
  public Logger log() {
    return LoggerFactory.getLogger("plugin." + plugin);
  }
}
