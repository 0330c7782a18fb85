package org.stage.plugin.kineto;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.stage.api.profile.Profile;
import org.stage.plugin.kineto.format.Trace;
import org.stage.plugin.kineto.format.TraceFormatException;
import org.stage.plugin.kineto.format.TraceReader;

/** The program {@code ReadInLittleMemory FILE...}: reads profiles and says how fast it was. */
final class ReadInLittleMemory {
  private ReadInLittleMemory() {}

  /** Reads each file. */
  public static void main(String[] args) throws IOException, TraceFormatException {
    for (String arg : args) {
      Path file = Path.of(arg);
      long begin = cpu();
      Trace trace = TraceReader.read(file, bytes -> {});
      long read = cpu();
      Profile profile = new ProfileMaker(trace, file, false).make(OptionalInt.empty()).profile();
      long done = cpu();
      System.out.printf(
          Locale.ROOT,
          "kernels=%d owned=%d operators=%d bytes=%d read=%.2fs profile=%.2fs of processor time%n",
          profile.coverage().kernels().count(),
          profile.coverage().launches().owned(),
          profile.operators().size(),
          Files.size(file),
          (read - begin) / 1e9,
          (done - read) / 1e9);
    }
  }

  /** Time of this thread's processor: a busy machine does not count. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
