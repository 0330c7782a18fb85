package org.stage.backend.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** Reads a file in the Trace Event Format and checks it against the rules of that. */
final class TraceEvents {
  private final List<JsonNode> events;

  private TraceEvents(List<JsonNode> events) {
    this.events = events;
  }

  static TraceEvents read(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      JsonNode root = new ObjectMapper().readTree(in);
      assertThat(root.path("displayTimeUnit").asText()).isIn("ms", "ns");
      TraceEvents events = new TraceEvents(list(root.path("traceEvents")));
      events.check();
      return events;
    }
  }

  /** Slices of a track as {@code name ts+dur}, in the order of the file. */
  List<String> slices(int pid, int tid) {
    return of("X").stream()
        .filter(event -> event.path("pid").asInt() == pid && event.path("tid").asInt() == tid)
        .map(
            event ->
                event.path("name").asText()
                    + " "
                    + event.path("ts").asText()
                    + "+"
                    + event.path("dur").asText())
        .toList();
  }

  /** What a metadata event says of a thread or process, by {@code pid.tid}. */
  Map<String, String> names(String metadata) {
    Map<String, String> names = new HashMap<>();
    of("M").stream()
        .filter(event -> event.path("name").asText().equals(metadata))
        .forEach(event -> names.put(track(event), event.path("args").path("name").asText()));
    return names;
  }

  List<JsonNode> of(String phase) {
    return events.stream().filter(event -> event.path("ph").asText().equals(phase)).toList();
  }

  private void check() {
    events.forEach(TraceEvents::checkFields);
    checkNothingOverlaps();
    checkArrows();
    Set<String> named = names("thread_name").keySet();
    of("X").forEach(event -> assertThat(named).contains(track(event)));
  }

  private static void checkFields(JsonNode event) {
    String phase = event.path("ph").asText();
    assertThat(phase).as("%s", event).isIn("M", "X", "s", "f");
    assertThat(event.path("pid").isInt()).as("%s", event).isTrue();
    assertThat(event.path("tid").isInt()).as("%s", event).isTrue();
    assertThat(event.path("name").isTextual()).as("%s", event).isTrue();
    if (!phase.equals("M")) {
      assertThat(event.path("cat").isTextual()).as("%s", event).isTrue();
      checkTime(event, "ts");
    }
    switch (phase) {
      case "X" -> checkTime(event, "dur");
      case "f" -> assertThat(event.path("bp").asText()).isEqualTo("e");
      case "M" -> assertThat(event.path("args").size()).isEqualTo(1);
      default -> assertThat(event.has("id")).isTrue();
    }
  }

  private static void checkTime(JsonNode event, String field) {
    assertThat(event.path(field).isNumber()).as("%s of %s", field, event).isTrue();
    assertThat(time(event, field)).as("%s of %s", field, event).isNotNegative();
    assertThat(time(event, field).scale()).as("%s of %s", field, event).isLessThanOrEqualTo(3);
  }

  private void checkNothingOverlaps() {
    Map<String, BigDecimal> ends = new HashMap<>();
    for (JsonNode event : of("X")) {
      BigDecimal before = ends.getOrDefault(track(event), BigDecimal.ZERO);
      assertThat(time(event, "ts")).as("%s", event).isGreaterThanOrEqualTo(before);
      ends.put(track(event), time(event, "ts").add(time(event, "dur")));
    }
  }

  private void checkArrows() {
    Map<Long, JsonNode> heads = new HashMap<>();
    of("f").forEach(event -> assertThat(heads.put(event.path("id").asLong(), event)).isNull());
    Set<Long> tails = new HashSet<>();
    for (JsonNode tail : of("s")) {
      long id = tail.path("id").asLong();
      assertThat(tails.add(id)).as("%s", tail).isTrue();
      assertThat(heads).containsKey(id);
      assertThat(time(heads.get(id), "ts")).isGreaterThanOrEqualTo(time(tail, "ts"));
      checkInSlice(tail);
      checkInSlice(heads.get(id));
    }
    assertThat(tails).isEqualTo(heads.keySet());
  }

  private void checkInSlice(JsonNode arrow) {
    BigDecimal at = time(arrow, "ts");
    assertThat(of("X"))
        .as("a slice around %s", arrow)
        .anyMatch(
            slice ->
                track(slice).equals(track(arrow))
                    && time(slice, "ts").compareTo(at) <= 0
                    && time(slice, "ts").add(time(slice, "dur")).compareTo(at) >= 0);
  }

  private static BigDecimal time(JsonNode event, String field) {
    return new BigDecimal(event.path(field).asText());
  }

  private static String track(JsonNode event) {
    return event.path("pid").asInt() + "." + event.path("tid").asInt();
  }

  private static List<JsonNode> list(JsonNode array) {
    return new ArrayList<>(StreamSupport.stream(array.spliterator(), false).toList());
  }
}
