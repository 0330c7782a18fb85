package org.stage.workloadfile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Origin;

/** Bytes of a file to text, with everything refused that cannot be a workload file. */
final class SourceText {
  private static final int LIMIT = 1 << 20;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private SourceText() {}

  /** The text of {@code file}. */
  static String read(Path file) {
    String name = file.toString();
    if (Files.isDirectory(file)) {
      boolean model = Files.isRegularFile(file.resolve("config.json"));
      throw new InputException(
          name,
          model ? "is the folder of a model" : "is a folder",
          model
              ? NotAWorkload.write(file.resolve("config.json").toString())
              : "Name a workload file in it.");
    }
    try {
      // By size first: a file of a gigabyte is refused without being read. Pipes have no size.
      if (Files.isRegularFile(file) && Files.size(file) > LIMIT) {
        throw tooLarge(name);
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(LIMIT + 1);
        if (bytes.length > LIMIT) {
          throw tooLarge(name);
        }
        return checked(name, decode(name, bytes));
      }
    } catch (NoSuchFileException e) {
      throw NotAWorkload.missing(name);
    } catch (AccessDeniedException e) {
      throw new InputException(name, "may not be read", "Check its permissions.");
    } catch (IOException e) {
      throw new InputException(name, "cannot be read: " + e.getMessage(), "");
    }
  }

  /** {@code text}, if it has no control characters. */
  static String checked(String name, String text) {
    int line = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line++;
      } else if (c < ' ' && c != '\t' && c != '\r') {
        throw new Origin(name, line, "")
            .fault(
                String.format("holds the control character 0x%02X", (int) c),
                "A workload file is plain text in UTF-8.");
      }
    }
    return text;
  }

  private static String decode(String name, byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      long line = 1;
      for (int i = 0; i < in.position(); i++) {
        line += bytes[i] == '\n' ? 1 : 0;
      }
      throw new Origin(name, (int) line, "")
          .fault(
              String.format("is not UTF-8: byte 0x%02X", bytes[in.position()] & 0xFF),
              "Save it as UTF-8.");
    }
    String text = out.flip().toString();
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  private static InputException tooLarge(String name) {
    return new InputException(
        name,
        "is larger than 1 MB",
        "A workload file has a few dozen lines; is it the right file?");
  }
}
