package org.stage.backend.chakra.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The file of communicators: a JSON object of lists of ranks by id. */
public final class GroupFile {
  private GroupFile() {}

  /** Writes groups, one a line: first those of given names, then those of a table. */
  public static void write(Path file, Map<String, List<Integer>> named, GroupTable groups)
      throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write('{');
      String separator = "\n  ";
      for (Map.Entry<String, List<Integer>> group : named.entrySet()) {
        int[] members = group.getValue().stream().mapToInt(Integer::intValue).toArray();
        write(out, separator, group.getKey(), members);
        separator = ",\n  ";
      }
      for (int id : groups.ids()) {
        write(out, separator, Integer.toString(id), groups.members(id));
        separator = ",\n  ";
      }
      out.write("\n}\n");
    }
  }

  private static void write(BufferedWriter out, String before, String name, int[] members)
      throws IOException {
    out.write(before + '"' + new String(JsonStringEncoder.getInstance().quoteAsString(name)));
    out.write("\": [");
    String separator = "";
    for (int rank : members) {
      out.write(separator);
      out.write(Integer.toString(rank));
      separator = ", ";
    }
    out.write(']');
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
        boolean first = !groups.containsKey(name);
        expect(file, json, first, "each id once, not '" + name + "' again");
        JsonToken value = json.nextToken();
        if (value == JsonToken.START_ARRAY) {
          groups.put(name, readRanks(file, json));
        } else if (value == JsonToken.START_OBJECT) {
          readObject(file, json).ifPresent(ranks -> groups.put(name, ranks));
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

  /** The {@code ranks} of an object, which may also say how they stand in dimensions. */
  private static Optional<int[]> readObject(Path file, JsonParser json) throws IOException {
    Optional<int[]> ranks = Optional.empty();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = json.currentName().equals("ranks");
      if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
        ranks = Optional.of(readRanks(file, json));
      } else {
        json.skipChildren();
      }
    }
    return ranks;
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
