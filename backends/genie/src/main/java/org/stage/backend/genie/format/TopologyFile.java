package org.stage.backend.genie.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Reads a logical topology: {@code {"logical-dims": ["2", "4"]}}. */
public final class TopologyFile {
  private TopologyFile() {}

  /** Whether a file of that name is one. */
  public static boolean isName(String name) {
    return name.matches("logical_topology.*\\.json");
  }

  /**
   * How many ranks the dimensions multiply to; empty if the file is not of that form.
   *
   * @throws IOException if it cannot be read
   */
  public static OptionalLong ranks(Path file) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return OptionalLong.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean dimensions = json.currentName().equals("logical-dims");
        JsonToken value = json.nextToken();
        if (dimensions) {
          return value == JsonToken.START_ARRAY ? product(json) : OptionalLong.empty();
        }
        json.skipChildren();
      }
      return OptionalLong.empty();
    } catch (JsonProcessingException e) {
      return OptionalLong.empty();
    }
  }

  /** Sizes are strings: a number would stop the reader. */
  private static OptionalLong product(JsonParser json) throws IOException {
    long product = 1;
    int sizes = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      boolean size =
          json.currentToken() == JsonToken.VALUE_STRING && json.getText().matches("[1-9]\\d{0,8}");
      if (!size || product > Integer.MAX_VALUE) {
        return OptionalLong.empty();
      }
      product *= Long.parseLong(json.getText());
      sizes++;
    }
    return sizes == 0 ? OptionalLong.empty() : OptionalLong.of(product);
  }
}
