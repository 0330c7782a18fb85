package org.stage.plugin.kineto.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipException;

/** The part of a file that is in memory. Bytes before {@link #keep} may be dropped on a refill. */
final class Window {
  /** A value longer than this is no event. */
  private static final int LARGEST = 1 << 26;

  private final InputStream in;

  byte[] bytes;

  /** The first byte that a refill must keep. */
  int keep;

  /** Behind the last byte that was read. */
  int limit;

  private long offset;
  private long line = 1;
  private boolean ended;
  private boolean cut;

  Window(InputStream in, int size) {
    this.in = in;
    this.bytes = new byte[size];
  }

  /**
   * Reads more behind {@link #limit}, moving what is kept to the front: positions in the window
   * fall by the old value of {@link #keep}, which becomes 0.
   *
   * @return whether there was more; if not, nothing has moved
   */
  boolean refill() throws IOException {
    if (ended || (keep == 0 && limit == bytes.length && bytes.length >= LARGEST)) {
      return false;
    }
    line += newlines(0, keep);
    offset += keep;
    int kept = limit - keep;
    byte[] target = kept > bytes.length / 2 ? new byte[bytes.length * 2] : bytes;
    System.arraycopy(bytes, keep, target, 0, kept);
    bytes = target;
    keep = 0;
    limit = kept;
    return fill();
  }

  /** Grows by half at least: what is kept is read again, and a long value must not be for ever. */
  private boolean fill() throws IOException {
    int before = limit;
    int enough = Math.max(1 << 16, before / 2);
    while (limit < bytes.length) {
      int count = read();
      if (count < 0) {
        ended = true;
        break;
      }
      limit += count;
      if (limit - before >= enough) {
        break;
      }
    }
    return limit > before;
  }

  /** Whatever inflates is used: a file that was cut ends like a file that is complete. */
  private int read() throws IOException {
    try {
      return in.read(bytes, limit, bytes.length - limit);
    } catch (EOFException | ZipException e) {
      cut = true;
      return -1;
    }
  }

  /** Whether the last byte that is no blank is {@code b}; of what is in memory. */
  boolean endsWith(char b) {
    int p = limit - 1;
    while (p > keep && bytes[p] <= ' ' && bytes[p] >= 0) {
      p--;
    }
    return p >= keep && bytes[p] == b;
  }

  /** Whether everything has been read. */
  boolean isEnded() {
    return ended;
  }

  /** Whether the compressed stream is broken or ends too early. */
  boolean isCut() {
    return cut;
  }

  /** How far into the uncompressed file {@code position} is, in bytes, from 0 on. */
  long offset(int position) {
    return offset + position;
  }

  /** The line of {@code position}, from 1 on. */
  long line(int position) {
    return line + newlines(0, position);
  }

  private long newlines(int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        count++;
      }
    }
    return count;
  }

  @Override
  public String toString() {
    return "window at " + offset + ": " + Arrays.toString(new int[] {keep, limit});
  }
}
