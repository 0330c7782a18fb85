package org.stage.plugin.huggingface.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Tells whether a file is meant to be a configuration, also if it is damaged. */
public final class ConfigProbe {
  private static final Set<String> TELLING = Set.of("model_type", "architectures");
  private static final int HEAD = 1 << 16;
  private static final JsonFactory JSON = new JsonFactory();

  private ConfigProbe() {}

  /**
   * Whether {@code file} is named like a configuration, holds an object with one of the keys that
   * every configuration has, or what a failed download leaves.
   */
  public static boolean looksLikeConfig(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return Files.exists(file.resolve(ConfigText.FILE_NAME));
    }
    Path name = file.getFileName();
    if (name != null && name.toString().toLowerCase(Locale.ROOT).equals(ConfigText.FILE_NAME)) {
      return true;
    }
    if (!Files.isRegularFile(file)) {
      return false;
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(HEAD);
    }
    String text = new String(head, StandardCharsets.UTF_8);
    return ConfigText.isSubstitute(text) || hasTellingKey(head);
  }

  private static boolean hasTellingKey(byte[] head) throws IOException {
    try (JsonParser parser = JSON.createParser(head)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (TELLING.contains(parser.currentName())) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
      return false;
    } catch (JsonProcessingException e) {
      // damaged before any telling key, or no JSON at all
      return false;
    }
  }
}
