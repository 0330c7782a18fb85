package org.stage.plugin.kineto.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Judges a file by its first bytes. */
public final class Sniffer {
  private static final int HEAD = 1 << 16;
  private static final int PACKET = 64;

  /** How the first bytes of zstd look, read as text. */
  private static final String ZSTD = "(\uFFFD/\uFFFD";

  private static final Pattern OTHERS =
      Pattern.compile("(?i).*\\.(pftrace|perfetto-trace|json\\.(zst|zstd|xz|bz2|lz4|zip))");

  private Sniffer() {}

  /**
   * Whether a file looks like a profile: an object that speaks of events early, or an array of
   * them.
   *
   * @throws IOException if it cannot be read
   */
  public static boolean looksLikeTrace(Path file) throws IOException {
    if (OTHERS.matcher(file.toString()).matches()) {
      // to be refused by its name
      return true;
    }
    String head = head(file);
    if (head.startsWith(ZSTD)) {
      return true;
    }
    String text = head.startsWith("\uFEFF") ? head.substring(1).strip() : head.strip();
    if (text.startsWith("[")) {
      return text.contains("\"ph\"") || text.replaceAll("\\s", "").equals("[]");
    }
    if (!text.startsWith("{")) {
      return false;
    }
    if (text.replaceAll("\\s", "").equals("{}")) {
      return true;
    }
    return text.contains("\"traceEvents\"")
        || text.contains("\"schemaVersion\"")
        || text.contains("\"deviceProperties\"")
        || text.contains("\"distributedInfo\"");
  }

  /**
   * The beginning of a file, inflated; empty where it is not text.
   *
   * @throws IOException if it cannot be read
   */
  public static String head(Path file) throws IOException {
    byte[] head;
    try (InputStream in =
        TraceReader.inflated(new BufferedInputStream(Files.newInputStream(file)))) {
      head = upTo(in);
    } catch (TraceFormatException e) {
      return "";
    }
    return new String(head, StandardCharsets.UTF_8);
  }

  private static byte[] upTo(InputStream in) throws IOException {
    Window window = new Window(in, HEAD);
    while (window.limit < HEAD && window.refill()) {
      // reads on
    }
    byte[] head = new byte[Math.min(HEAD, window.limit)];
    System.arraycopy(window.bytes, 0, head, 0, head.length);
    return head;
  }

  /** Skips a byte order mark; refuses what cannot be text. */
  static void check(Window window) throws IOException, TraceFormatException {
    while (window.limit - window.keep < 4 && window.refill()) {
      // reads on
    }
    if (startsWith(window, 0xEF, 0xBB, 0xBF)) {
      window.keep += 3;
    }
    if (startsWith(window, 0xFF, 0xFE) || startsWith(window, 0xFE, 0xFF)) {
      throw new TraceFormatException("is written in UTF-16", "Write it in UTF-8.");
    }
    named(window);
    int first = firstByte(window);
    if (first < 0) {
      throw window.isCut()
          ? new TraceFormatException(
              "is compressed by gzip, but nothing of it can be inflated",
              "Record or copy the profile again.")
          : new TraceFormatException("is empty", "Record or copy the profile again.");
    }
    if (first != '{' && first != '[') {
      throw new TraceFormatException(
          "is no JSON: its first byte is 0x" + Integer.toHexString(first),
          "Export the profile as .json or .json.gz.");
    }
  }

  /** Refuses what is known to be something else, by its first bytes. */
  private static void named(Window window) throws TraceFormatException {
    String packed =
        startsWith(window, 0x28, 0xB5, 0x2F, 0xFD)
            ? "zstd"
            : startsWith(window, 0xFD, '7', 'z', 'X')
                ? "xz"
                : startsWith(window, 'B', 'Z', 'h')
                    ? "bzip2"
                    : startsWith(window, 'P', 'K', 3, 4)
                        ? "zip"
                        : startsWith(window, 0x04, 0x22, 0x4D, 0x18) ? "lz4" : "";
    if (!packed.isEmpty()) {
      throw new TraceFormatException(
          "is compressed by " + packed + ", which is not read",
          "Unpack it, or compress it by gzip.");
    }
    if (isPerfetto(window)) {
      throw new TraceFormatException(
          "is a trace of Perfetto in its binary form (.pftrace), which is not read",
          "Export the profile as .json or .json.gz.");
    }
  }

  /** Its packets: field 1, a length, and field numbers that no text begins with. */
  private static boolean isPerfetto(Window window) {
    if (!startsWith(window, 0x0A)) {
      return false;
    }
    for (int i = window.keep; i < Math.min(window.limit, window.keep + PACKET); i++) {
      int b = window.bytes[i] & 0xFF;
      if (b < '\t' || (b > '\r' && b < ' ')) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(Window window, int... bytes) {
    if (window.limit - window.keep < bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((window.bytes[window.keep + i] & 0xFF) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  private static int firstByte(Window window) throws IOException {
    while (true) {
      while (window.keep < window.limit) {
        int b = window.bytes[window.keep];
        if (b > ' ' || b < 0) {
          return b & 0xFF;
        }
        window.keep++;
      }
      if (!window.refill()) {
        return -1;
      }
    }
  }
}
