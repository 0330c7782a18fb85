package org.stage.backend.chakra.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The file of communicators: a JSON object of lists of ranks by id. */
public final class GroupFile {
  private GroupFile() {}

  /** Writes {@code groups}, one a line. */
  public static void write(Path file, GroupTable groups) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write('{');
      for (int id = 1; id <= groups.size(); id++) {
        out.write((id == 1 ? "\n" : ",\n") + "  \"" + id + "\": [");
        String separator = "";
        for (int rank : groups.members(id)) {
          out.write(separator);
          out.write(Integer.toString(rank));
          separator = ", ";
        }
        out.write(']');
      }
      out.write("\n}\n");
    }
  }

  /**
   * Reads the communicators by name as written. Values that are no lists are passed over, as
   * published files carry such things.
   *
   * @throws TraceFormatException if it is not such a file
   */
  public static Map<String, int[]> read(Path file) throws IOException {
    Map<String, int[]> groups = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      expect(file, json, json.nextToken() == JsonToken.START_OBJECT, "an object");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_ARRAY) {
          boolean first = groups.put(name, readRanks(file, json)) == null;
          expect(file, json, first, "each id once, not '" + name + "' again");
        } else {
          json.skipChildren();
        }
      }
      return groups;
    } catch (JsonProcessingException e) {
      long offset = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
      throw new TraceFormatException(file, offset, "not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static int[] readRanks(Path file, JsonParser json) throws IOException {
    int[] ranks = new int[8];
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      boolean rank =
          json.currentToken() == JsonToken.VALUE_NUMBER_INT
              && json.getNumberType() == JsonParser.NumberType.INT
              && json.getIntValue() >= 0;
      expect(file, json, rank, "ranks");
      if (count == ranks.length) {
        ranks = Arrays.copyOf(ranks, 2 * count);
      }
      ranks[count++] = json.getIntValue();
    }
    return Arrays.copyOf(ranks, count);
  }

  private static void expect(Path file, JsonParser json, boolean met, String what)
      throws IOException {
    if (!met) {
      long offset = Math.max(0, json.currentTokenLocation().getByteOffset());
      String found = json.currentToken() == null ? "the end" : "'" + json.getText() + "'";
      throw new TraceFormatException(
          file, offset, "expected " + what + ", found " + found, /* cause= */ null);
    }
  }
}
