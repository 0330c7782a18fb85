package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

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

  /**
   * The user's own plugin folder, as the XDG Base Directory Specification places it; need not be
   * there. Not in the distribution, which is replaced as a whole.
   */
  Optional<Path> pluginHome() {
    if (!variable("STAGE_PLUGIN_HOME").isBlank()) {
      return Optional.of(Path.of(variable("STAGE_PLUGIN_HOME")));
    }
    Optional<Path> data =
        Optional.of(variable("XDG_DATA_HOME"))
            .filter(name -> !name.isBlank())
            .map(Path::of)
            // so the specification says
            .filter(Path::isAbsolute);
    return data.or(() -> userHome().map(home -> home.resolve(".local/share")))
        .map(folder -> folder.resolve("stage/plugins"));
  }

  private Optional<Path> userHome() {
    return Stream.of("HOME", "USERPROFILE")
        .map(this::variable)
        .filter(name -> !name.isBlank())
        .findFirst()
        .map(Path::of);
  }
}
