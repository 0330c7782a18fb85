package org.stage.backend.scalesim.check;

import java.nio.file.Path;

/** Where a line stands, for messages. */
final class At {
  private At() {}

  static String line(Path file, int line) {
    return file + ", line " + line;
  }
}
