package org.stage.job;

import java.util.Map;

/**
 * Where the values of a job stand, by the paths of their keys.
 *
 * @param file the file as a whole
 * @param byKey what the file, or the command line, says
 */
public record Origins(Origin file, Map<String, Origin> byKey) {
  /** Copies the map. */
  public Origins {
    byKey = Map.copyOf(byKey);
  }

  /** Where {@code key} stands, or else the innermost map that would hold it. */
  public Origin of(String key) {
    String path = key;
    while (!path.isEmpty()) {
      Origin found = byKey.get(path);
      if (found != null) {
        return found.at(key);
      }
      path = path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }
    return file.at(key);
  }
}
