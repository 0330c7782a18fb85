package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a command sees of the world, so that tests can give it another one.
 *
 * @param out where results go
 * @param err where everything else goes
 * @param environment environment variables
 * @param home the unpacked distribution, if STAGE runs from one
 * @param terminal whether somebody is watching
 * @param nanoTime a clock that never goes back
 * @param interruption Ctrl-C
 */
record World(
    PrintWriter out,
    PrintWriter err,
    Map<String, String> environment,
    Optional<Path> home,
    boolean terminal,
    LongSupplier nanoTime,
    Interruption interruption) {

  /** The process's own. */
  static World real(PrintWriter out, PrintWriter err, boolean terminal, Interruption interruption) {
    return new World(
        out,
        err,
        System.getenv(),
        Optional.ofNullable(System.getProperty("stage.home")).map(Path::of),
        terminal,
        System::nanoTime,
        interruption);
  }

  /** The value of an environment variable; empty if it is not set. */
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }
}
