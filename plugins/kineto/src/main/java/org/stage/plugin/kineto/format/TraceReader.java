package org.stage.plugin.kineto.format;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads a file with a profile, compressed by gzip or not, whatever it is called. */
public final class TraceReader {
  private static final int BUFFER = 1 << 17;

  private TraceReader() {}

  /** Is told how far reading is. */
  @FunctionalInterface
  public interface Watch {
    /** Called often; what it throws stops the reading. */
    void at(long bytesOfTheFile);
  }

  /**
   * Reads {@code file} in one pass, whatever its size.
   *
   * @throws IOException if the file cannot be read
   * @throws TraceFormatException if it is no profile, or broken all over
   */
  public static Trace read(Path file, Watch watch) throws IOException, TraceFormatException {
    try (InputStream in = new WatchedStream(Files.newInputStream(file), watch)) {
      return read(in);
    }
  }

  static Trace read(InputStream in) throws IOException, TraceFormatException {
    BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
    Window window = new Window(inflated(buffered), BUFFER);
    window.refill();
    Sniffer.check(window);
    TraceBuilder builder = new TraceBuilder();
    Trace trace = builder.trace();
    new DocumentReader(window, builder, trace.condition).read();
    Condition condition = trace.condition;
    if (!condition.eventsSeen) {
      throw condition.isTruncated()
          ? new TraceFormatException(
              "ends at byte " + window.offset(window.limit) + ", before any event",
              "Record or copy the profile again.")
          : new TraceFormatException(
              "holds no traceEvents", "Name a file that the PyTorch profiler has exported.");
    }
    return trace;
  }

  /** By the first two bytes, since names lie. */
  static InputStream inflated(InputStream in) throws IOException, TraceFormatException {
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    if (first != 0x1f || second != 0x8b) {
      return in;
    }
    try {
      return new GZIPInputStream(in, 1 << 16);
    } catch (EOFException | ZipException e) {
      throw new TraceFormatException(
          "is compressed by gzip, but ends or breaks in its header",
          "Record or copy the profile again.");
    }
  }
}
