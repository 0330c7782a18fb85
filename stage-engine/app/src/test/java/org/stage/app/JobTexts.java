package org.stage.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.stage.engine.Synthesis;

/** Jobs for tests, from the text that a user would write. */
final class JobTexts {
  private JobTexts() {}

  static Synthesis synthesis(String yaml, String... overrides) {
    try (Session session = new Session(List.of(), Listener.NONE)) {
      Path file = Files.writeString(Files.createTempFile("job", ".yaml"), yaml);
      try {
        return session.inspect(new JobRequest(file, List.of(overrides), List.of()));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
