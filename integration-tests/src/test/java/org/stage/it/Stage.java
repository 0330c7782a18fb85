package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packed distribution, started as a user starts it. */
final class Stage {
  static final Path DIST = Path.of(System.getProperty("stage.dist")).normalize();
  static final Path EXAMPLES = DIST.resolve("examples");

  private Stage() {}

  /**
   * What a run left behind.
   *
   * @param exit exit code
   * @param out standard output
   * @param err standard error
   */
  record Outcome(int exit, String out, String err) {}

  static Process start(Path cwd, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(DIST.resolve("bin/stage").toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(cwd.toFile())
            .redirectOutput(cwd.resolve("stdout.txt").toFile())
            .redirectError(cwd.resolve("stderr.txt").toFile());
    // not the plugins of whoever runs the tests
    builder.environment().put("STAGE_PLUGIN_HOME", cwd.resolve("no-plugins").toString());
    return builder.start();
  }

  static Outcome run(Path cwd, String... args) throws Exception {
    Process process = start(cwd, args);
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("did not end: " + String.join(" ", args));
    }
    return new Outcome(
        process.exitValue(),
        Files.readString(cwd.resolve("stdout.txt"), UTF_8),
        Files.readString(cwd.resolve("stderr.txt"), UTF_8));
  }
}
