package org.stage.backend.timeline.check;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * An event of a file: its own fields, without arguments.
 *
 * @param line where it begins, from 1
 * @param texts fields that are texts
 * @param numbers fields that are numbers
 */
record Event(int line, Map<String, String> texts, Map<String, Double> numbers) {
  /** Reads on to the end of the object that {@code json} stands at the start of. */
  static Event read(JsonParser json) throws IOException {
    Event event =
        new Event(json.currentTokenLocation().getLineNr(), new HashMap<>(), new HashMap<>());
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.VALUE_STRING) {
        event.texts.put(field, json.getText());
      } else if (value != null && value.isNumeric()) {
        event.numbers.put(field, json.getDoubleValue());
      } else {
        json.skipChildren();
      }
    }
    return event;
  }

  String text(String field) {
    return texts.getOrDefault(field, "");
  }

  /** Whether a field is a number from 0 on. */
  boolean has(String field) {
    return numbers.getOrDefault(field, -1.0) >= 0;
  }

  double number(String field) {
    return numbers.getOrDefault(field, 0.0);
  }
}
