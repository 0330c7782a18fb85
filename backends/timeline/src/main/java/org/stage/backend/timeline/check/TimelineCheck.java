package org.stage.backend.timeline.check;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.stage.api.diagnostic.Faults;

/** Checks one file, event by event; for one use. */
public final class TimelineCheck {
  /** The kinds of events that a timeline has. */
  private static final Set<String> PHASES = Set.of("X", "M", "s", "f");

  private static final String ANEW = "Write the timeline anew.";

  /** A thousandth of a microsecond is the last digit. */
  private static final double ROUNDING = 0.0015;

  private final Path file;
  private final Faults faults;
  private final Set<Double> halfArrows = new HashSet<>();
  private final Map<String, Double> ends = new HashMap<>();
  private final Set<Integer> processes = new HashSet<>();
  private long slices;

  /** Of {@code file}, whose faults go to {@code faults}. */
  public TimelineCheck(Path file, Faults faults) {
    this.file = file;
    this.faults = faults;
  }

  /** The timelines in {@code directory}. */
  public static List<Path> find(Path directory) {
    return List.of("timeline.json", "timeline.json.gz").stream()
        .map(directory::resolve)
        .filter(Files::isRegularFile)
        .toList();
  }

  /** Slices read. */
  public long slices() {
    return slices;
  }

  /** Ranks that have any. */
  public int ranks() {
    return processes.size();
  }

  /** Reads the file. */
  public void run() throws IOException {
    try (InputStream in = open();
        JsonParser json = new JsonFactory().createParser(in)) {
      if (!enterEvents(json)) {
        error(1, "there is no list traceEvents");
        return;
      }
      while (json.nextToken() == JsonToken.START_OBJECT) {
        check(Event.read(json));
      }
      if (json.currentToken() != JsonToken.END_ARRAY) {
        error(json.currentTokenLocation().getLineNr(), "an event is no object");
      }
      while (json.nextToken() != null) {
        json.skipChildren();
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      error(line, "is no JSON: " + e.getOriginalMessage());
    } catch (EOFException | ZipException e) {
      error(1, "the compressed data is damaged or cut short");
    }
    if (!halfArrows.isEmpty()) {
      error(1, halfArrows.size() + " arrows have one end only");
    }
    if (slices == 0) {
      error(1, "there is no slice");
    }
  }

  private InputStream open() throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
  }

  /** Reads up to the events; false if there are none. */
  private static boolean enterEvents(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean events = json.currentName().equals("traceEvents");
      if (json.nextToken() == JsonToken.START_ARRAY && events) {
        return true;
      }
      json.skipChildren();
    }
    return false;
  }

  private void check(Event event) {
    String phase = event.text("ph");
    if (!PHASES.contains(phase)) {
      error(event.line(), "an event is of the unknown kind '" + phase + "'");
    } else if (!event.has("pid") || !event.has("tid") || event.text("name").isEmpty()) {
      error(event.line(), "an event lacks its pid, tid or name");
    } else if (!phase.equals("M") && !event.has("ts")) {
      error(event.line(), "'" + event.text("name") + "' lacks its time ts, from 0 on");
    } else if (phase.equals("X")) {
      checkSlice(event);
    } else if (!phase.equals("M")) {
      checkArrow(event);
    }
  }

  private void checkSlice(Event event) {
    slices++;
    processes.add((int) event.number("pid"));
    if (!event.has("dur")) {
      error(event.line(), "'" + event.text("name") + "' lacks its duration dur, from 0 on");
      return;
    }
    String track = event.number("pid") + " " + event.number("tid");
    double begin = event.number("ts");
    double before = ends.getOrDefault(track, 0.0);
    if (begin < before - ROUNDING) {
      error(
          event.line(),
          "'" + event.text("name") + "' begins before the one in front of it on its track ends");
    }
    ends.put(track, Math.max(before, begin + event.number("dur")));
  }

  private void checkArrow(Event event) {
    if (!event.has("id")) {
      error(event.line(), "an arrow lacks its id");
    } else if (!halfArrows.remove(event.number("id"))) {
      halfArrows.add(event.number("id"));
    }
  }

  private void error(int line, String message) {
    faults.error(file + ", line " + line, message, ANEW);
  }
}
