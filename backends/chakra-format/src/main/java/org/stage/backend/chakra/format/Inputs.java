package org.stage.backend.chakra.format;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Files that may be compressed, told by their content. */
final class Inputs {
  private static final int BUFFER = 1 << 16;

  private Inputs() {}

  static BufferedInputStream open(Path file) throws IOException {
    BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      return isGzip(raw) ? unpacked(file, raw) : raw;
    } catch (EOFException | ZipException e) {
      raw.close();
      throw new TraceFormatException(file, 0, "the gzip header is damaged", e);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  static boolean isGzip(Path file) throws IOException {
    try (BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(file), 2)) {
      return isGzip(raw);
    }
  }

  /** No trace begins like that: as a length and a key it would be field 17 of the metadata. */
  private static boolean isGzip(BufferedInputStream in) throws IOException {
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    return first == 0x1f && second == 0x8b;
  }

  private static BufferedInputStream unpacked(Path file, InputStream raw) throws IOException {
    InputStream unpacked = new GZIPInputStream(raw, BUFFER);
    return new BufferedInputStream(new Bounded(file, unpacked, Files.size(file)), BUFFER);
  }

  /** Ends where a file unpacks to far more than a trace does: then it was made to fill a memory. */
  private static final class Bounded extends FilterInputStream {
    /** Real traces shrink 10 to 60 times. */
    private static final long RATIO = 250;

    /** Up to here, nobody is harmed. */
    private static final long FREE = 8 << 20;

    private final Path file;
    private final long limit;
    private long read;

    Bounded(Path file, InputStream in, long packed) {
      super(in);
      this.file = file;
      this.limit = Math.max(FREE, packed * RATIO);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
      int count = super.read(target, start, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) throws IOException {
      read += bytes;
      if (read > limit) {
        throw new TraceFormatException(
            file,
            limit,
            "the file unpacks to over " + RATIO + " times its size, as no trace does",
            null);
      }
    }
  }
}
