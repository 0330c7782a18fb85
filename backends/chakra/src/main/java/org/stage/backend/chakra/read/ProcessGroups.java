package org.stage.backend.chakra.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.backend.chakra.format.proto.Node;

/**
 * The process groups that PyTorch writes into the arguments of a metadata node: a list of one
 * string that holds JSON, {@code ['[{"pg_name": "7", "ranks": [0, 1]}]']}, quotes escaped or not.
 * No ranks means all.
 */
final class ProcessGroups {
  private static final String NAME = "pg_name";

  private ProcessGroups() {}

  /** Whether the node is of that sort. */
  static boolean in(Node node) {
    return node.getInputs().getValues().contains(NAME);
  }

  /**
   * The members by name, in the order in which they stand; empty lists mean all ranks.
   *
   * @throws IOException if the text is not of that form
   */
  static Map<String, List<Integer>> of(Node node) throws IOException {
    String text = node.getInputs().getValues();
    int begin = text.indexOf("[{");
    int end = text.lastIndexOf("}]");
    if (begin < 0 || end < begin) {
      throw new IOException("is no list of process groups");
    }
    String list = text.substring(begin, end + 2);
    if (list.contains("\\\"")) {
      list = list.replace("\\\\", "\\").replace("\\\"", "\"");
    }
    try (JsonParser json = new JsonFactory().createParser(list)) {
      return groups(json);
    } catch (JsonProcessingException e) {
      throw new IOException("is no list of process groups: " + e.getOriginalMessage(), e);
    }
  }

  private static Map<String, List<Integer>> groups(JsonParser json) throws IOException {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    json.nextToken();
    while (json.nextToken() == JsonToken.START_OBJECT) {
      String name = "";
      List<Integer> ranks = List.of();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        if (field.equals(NAME)) {
          name = json.getText();
        } else if (field.equals("ranks") && value == JsonToken.START_ARRAY) {
          ranks = ranks(json);
        } else {
          json.skipChildren();
        }
      }
      groups.put(name, ranks);
    }
    return groups;
  }

  private static List<Integer> ranks(JsonParser json) throws IOException {
    List<Integer> ranks = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      int rank = json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getIntValue() : -1;
      if (rank < 0) {
        throw new IOException("lists '" + json.getText() + "' as a rank");
      }
      ranks.add(rank);
    }
    return ranks;
  }
}
