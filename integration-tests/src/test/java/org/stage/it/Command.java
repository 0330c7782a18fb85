package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A program run to its end.
 *
 * @param exit exit code
 * @param out standard output
 * @param err standard error
 */
record Command(int exit, String out, String err) {
  /** The packed distribution. */
  static final Path DIST = Path.of(System.getProperty("stage.dist")).normalize();

  /** Runs {@code bin/stage} of the packed distribution, with no plugin folder but its own. */
  static Command stage(Path folder, Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(environment);
    all.putIfAbsent("STAGE_PLUGIN_HOME", folder.resolve("no-plugins").toString());
    return run(folder, all, DIST.resolve("bin/stage").toString(), args);
  }

  static Command run(Path folder, Map<String, String> environment, String program, String... args)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(program));
    words.addAll(List.of(args));
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(folder.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    int exit = process.waitFor();
    String said = Files.readString(err);
    Files.delete(err);
    return new Command(exit, out, said);
  }
}
