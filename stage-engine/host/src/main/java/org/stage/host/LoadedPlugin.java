package org.stage.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that was loaded.
 *
 * @param id its {@code Plugin-Id}
 * @param version its {@code Plugin-Version}
 * @param description its {@code Plugin-Description}; may be empty
 * @param jar the file it came from
 */
public record LoadedPlugin(String id, String version, String description, Path jar) {
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
