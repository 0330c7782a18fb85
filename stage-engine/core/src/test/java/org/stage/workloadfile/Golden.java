package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files in the source tree that are made from code. {@code -Dstage.golden=write} makes them again.
 */
final class Golden {
  static final Path ROOT = Path.of("..", "..");

  private Golden() {}

  static void check(Path file, String expected) throws IOException {
    if ("write".equals(System.getProperty("stage.golden"))) {
      Files.writeString(file, expected);
    }
    assertThat(file).content().isEqualTo(expected);
  }
}
