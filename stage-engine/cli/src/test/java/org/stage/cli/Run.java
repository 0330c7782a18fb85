package org.stage.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One run of a command in this JVM, as from a distribution in {@code home}.
 *
 * @param exit exit code
 * @param out standard output
 * @param err standard error
 */
record Run(int exit, String out, String err) {
  static Run of(Path home, String... args) {
    return of(home, Map.of(), new Interruption(new PrintWriter(Writer.nullWriter())), args);
  }

  static Run of(
      Path home, Map<String, String> environment, Interruption interruption, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    // a clock on which every look takes a tenth of a second
    AtomicLong clock = new AtomicLong();
    World world =
        new World(
            new PrintWriter(out),
            new PrintWriter(err),
            environment,
            Optional.of(home),
            false,
            () -> clock.addAndGet(100_000_000),
            interruption);
    int exit = Main.run(world, args);
    return new Run(exit, out.toString(), err.toString());
  }
}
