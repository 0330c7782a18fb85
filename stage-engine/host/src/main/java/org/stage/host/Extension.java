package org.stage.host;

import java.util.List;
import org.stage.api.plugin.Plugin;

/**
 * An extension of a loaded plugin. Calls into it go through {@link #call}, so that nothing that a
 * plugin throws reaches the caller unnamed.
 *
 * @param <T> the extension point
 * @param name under which users ask for it
 * @param instance the plugin's object
 * @param plugin where it comes from
 */
public record Extension<T extends Plugin>(String name, T instance, LoadedPlugin plugin) {
  /** What it is; at least one thing. */
  public List<ExtensionKind> kinds() {
    return ExtensionKind.of(instance);
  }

  /**
   * A call into a plugin.
   *
   * @param <T> the extension point
   * @param <R> what the call returns
   */
  @FunctionalInterface
  public interface Call<T, R> {
    /** Makes the call. */
    R on(T instance) throws Exception;
  }

  /**
   * Makes a call with the plugin's class loader as context.
   *
   * @param doing what the call does, for messages: {@code export}
   * @throws org.stage.api.diagnostic.WorkException if the plugin throws what it is not meant to
   *     throw, or returns null; the message names it
   */
  public <R> R call(String doing, Call<T, R> call) {
    return Guard.call(
        plugin.toString(), doing, instance.getClass().getClassLoader(), () -> call.on(instance));
  }
}
