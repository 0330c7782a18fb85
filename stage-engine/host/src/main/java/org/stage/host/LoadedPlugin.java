package org.stage.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginWrapper;

/**
 * A plugin that was loaded.
 *
 * @param id its {@code Plugin-Id}
 * @param version its {@code Plugin-Version}
 * @param description its {@code Plugin-Description}; may be empty
 * @param jar the file it came from
 */
public record LoadedPlugin(String id, String version, String description, Path jar) {
  static LoadedPlugin of(PluginWrapper plugin) {
    return new LoadedPlugin(
        plugin.getPluginId(),
        plugin.getDescriptor().getVersion(),
        plugin.getDescriptor().getPluginDescription(),
        plugin.getPluginPath());
  }

  /** For messages: {@code plugin chakra 0.1.0 (chakra-0.1.0.jar)}. */
  @Override
  public String toString() {
    return "plugin " + id + " " + version + " (" + fileName(jar) + ")";
  }

  static String fileName(Path jar) {
    @Nullable Path name = jar.getFileName();
    return name == null ? jar.toString() : name.toString();
  }
}
