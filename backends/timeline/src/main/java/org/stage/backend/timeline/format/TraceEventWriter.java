package org.stage.backend.timeline.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a file in the JSON Object Format of the Trace Event Format, one event a line. A process
 * and its threads are named before their events.
 *
 * <p>Times are given in nanoseconds and written in microseconds with three decimals, as the format
 * asks for.
 */
public final class TraceEventWriter implements AutoCloseable {
  private final JsonGenerator json;

  /** Creates {@code file}, compressed if {@code gzip}. */
  public TraceEventWriter(Path file, boolean gzip) throws IOException {
    OutputStream raw = Files.newOutputStream(file);
    OutputStream out = gzip ? new GZIPOutputStream(raw, 1 << 16) : raw;
    json = new JsonFactory().createGenerator(out);
    json.setPrettyPrinter(new OneEventALine());
    json.writeStartObject();
    json.writeStringField("displayTimeUnit", "ns");
    json.writeArrayFieldStart("traceEvents");
  }

  /**
   * Names a process.
   *
   * @param pid also its place among the processes
   * @param name in the viewer
   * @param label beside the name
   */
  public void process(int pid, String name, String label) throws IOException {
    metadata("process_name", pid, 0, "name", name);
    metadata("process_labels", pid, 0, "labels", label);
    metadata("process_sort_index", pid, 0, "sort_index", pid);
  }

  /** Names a thread; {@code tid} is also its place among those of its process. */
  public void thread(int pid, int tid, String name) throws IOException {
    metadata("thread_name", pid, tid, "name", name);
    metadata("thread_sort_index", pid, tid, "sort_index", tid);
  }

  private void metadata(String name, int pid, int tid, String key, Object value)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", "M");
    json.writeNumberField("pid", pid);
    json.writeNumberField("tid", tid);
    json.writeStringField("name", name);
    arguments(Map.of(key, value));
    json.writeEndObject();
  }

  /**
   * Something that a thread did.
   *
   * @param from nanoseconds
   * @param to nanoseconds, not before {@code from}
   * @param arguments texts and numbers, in the order in which they are to stand
   */
  public void slice(
      int pid,
      int tid,
      String name,
      String category,
      long from,
      long to,
      Map<String, Object> arguments)
      throws IOException {
    begin("X", pid, tid, name, category, from);
    time("dur", to - from);
    arguments(arguments);
    json.writeEndObject();
  }

  /**
   * The tail of an arrow, in the slice that is there at that time.
   *
   * @param id the same at its head
   * @param time nanoseconds
   */
  public void flowStart(long id, int pid, int tid, String name, long time) throws IOException {
    begin("s", pid, tid, name, "message", time);
    json.writeNumberField("id", id);
    json.writeEndObject();
  }

  /**
   * The head of an arrow, in the slice that is there at that time.
   *
   * @param id the same at its tail
   * @param time nanoseconds
   */
  public void flowEnd(long id, int pid, int tid, String name, long time) throws IOException {
    begin("f", pid, tid, name, "message", time);
    // without it the head belongs to the slice that comes next
    json.writeStringField("bp", "e");
    json.writeNumberField("id", id);
    json.writeEndObject();
  }

  private void begin(String phase, int pid, int tid, String name, String category, long time)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeNumberField("pid", pid);
    json.writeNumberField("tid", tid);
    json.writeStringField("name", name);
    json.writeStringField("cat", category);
    time("ts", time);
  }

  private void time(String key, long nanoseconds) throws IOException {
    json.writeFieldName(key);
    json.writeNumber(Microseconds.text(nanoseconds));
  }

  private void arguments(Map<String, Object> arguments) throws IOException {
    json.writeObjectFieldStart("args");
    for (Map.Entry<String, Object> argument : arguments.entrySet()) {
      json.writeFieldName(argument.getKey());
      json.writeObject(argument.getValue());
    }
    json.writeEndObject();
  }

  @Override
  public void close() throws IOException {
    try (json) {
      if (json.getOutputContext().inArray()) {
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
      }
    }
  }
}
