package org.stage.plugin.huggingface.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Bytes of a file to text, with what people get in place of a configuration refused by name. */
public final class ConfigText {
  /** The name of a configuration in a repository. */
  public static final String FILE_NAME = "config.json";

  private static final int LIMIT = 10_000_000;
  private static final String LFS = "version https://git-lfs.github.com/spec/";
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private ConfigText() {}

  /** The file itself, or the configuration in it if it is a folder. */
  public static Path locate(Path file) throws ConfigException {
    if (!Files.isDirectory(file)) {
      return file;
    }
    Path inside = file.resolve(FILE_NAME);
    if (!Files.exists(inside)) {
      throw new ConfigException("is a folder without " + FILE_NAME, "Name the file itself.");
    }
    return inside;
  }

  /** The text of {@code file}. */
  public static String read(Path file) throws ConfigException {
    String text;
    try {
      text = decode(bytes(file));
    } catch (CharacterCodingException e) {
      throw new ConfigException(
          "", "is not UTF-8 text", "Is it weights? Name the " + FILE_NAME + " beside them.", e);
    } catch (NoSuchFileException e) {
      throw new ConfigException("", "there is no such file", "", e);
    } catch (AccessDeniedException e) {
      throw new ConfigException("", "may not be read", "Check its permissions.", e);
    } catch (IOException e) {
      throw new ConfigException("", "cannot be read: " + e.getMessage(), "", e);
    }
    refuseSubstitute(text);
    return text;
  }

  /** Whether {@code text} is what a download leaves that did not get the file. */
  static boolean isSubstitute(String text) {
    return text.startsWith(LFS) || text.stripLeading().startsWith("<");
  }

  private static void refuseSubstitute(String text) throws ConfigException {
    if (text.isBlank()) {
      throw new ConfigException("is empty", "Download it again.");
    }
    if (text.startsWith(LFS)) {
      throw new ConfigException(
          "is a Git LFS pointer, not the file that it points to", "Run git lfs pull.");
    }
    if (isSubstitute(text)) {
      throw new ConfigException(
          "is a web page, not JSON",
          "Download the raw file: models of restricted access need a login.");
    }
  }

  private static byte[] bytes(Path file) throws IOException, ConfigException {
    // A device or a pipe could block, or never end.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new ConfigException("is not a regular file", "Name a " + FILE_NAME + ".");
    }
    if (Files.size(file) > LIMIT) {
      throw tooLarge();
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LIMIT + 1);
      if (bytes.length > LIMIT) {
        throw tooLarge();
      }
      return bytes;
    }
  }

  private static ConfigException tooLarge() {
    return new ConfigException(
        "is larger than 10 MB", "A configuration has a few dozen lines; is it the right file?");
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }
}
