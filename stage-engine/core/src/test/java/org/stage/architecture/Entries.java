package org.stage.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Lists that checks of the sources keep: one entry a line, its fields parted by a semicolon. */
final class Entries {
  private Entries() {}

  static List<List<String>> of(String resource) throws IOException {
    try (InputStream in = Entries.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> List.of(line.split("; ")))
          .toList();
    }
  }
}
