package org.stage.plugin.kineto;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.stage.api.diagnostic.InputException;

/** The program {@code TakenMemory FILE}: how many bytes of memory reading it takes. */
final class TakenMemory {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private TakenMemory() {}

  /** Reads a file twice, as classes are loaded the first time, and prints what the second took. */
  public static void main(String[] args) throws IOException {
    of(Path.of(args[0]));
    System.out.println(of(Path.of(args[0])));
  }

  /** How much memory reading takes, of which most is given back. */
  static long of(Path file) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      Imports.read(file, "clip-overlaps", Files.size(file) % 2 == 0 ? "true" : "false");
    } catch (InputException e) {
      if (!e.getMessage().startsWith(file.toString()) || e.getMessage().length() > 1_000) {
        throw new AssertionError("a message that does not help: " + e.getMessage(), e);
      }
    }
    new KinetoImporter().accepts(file);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** The same in a process of its own, where nothing watches the reader and takes memory too. */
  static long unwatched(Path file) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                TakenMemory.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(said.strip());
  }
}
