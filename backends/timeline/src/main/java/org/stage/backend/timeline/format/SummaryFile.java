package org.stage.backend.timeline.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The file of figures: how long the step takes, and how busy the ranks are in it. */
public final class SummaryFile {
  private SummaryFile() {}

  /**
   * What holds for the whole job.
   *
   * @param name of the workload
   * @param model its model
   * @param durations what the times of kernels come from
   * @param communication what the times of communications come from
   * @param step when the last rank is done, nanoseconds
   */
  public record Job(String name, String model, String durations, String communication, long step) {}

  /**
   * What holds for ranks of equal times. All times are nanoseconds of one rank.
   *
   * @param job the job of which they are; empty where there is only one
   * @param stage pipeline rank
   * @param ranks as {@code 0-3,8-11}
   * @param compute how long kernels run
   * @param communication how long collectives and sends run
   * @param overlapped how long both do at once
   * @param idle the part of the step in which no kernel runs, from 0 to 1
   */
  public record Line(
      String job,
      int stage,
      String ranks,
      long compute,
      long communication,
      long overlapped,
      double idle) {}

  /** Writes {@code file}. */
  public static void write(Path file, Job job, List<Line> lines) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setPrettyPrinter(printer());
      json.writeStartObject();
      json.writeStringField("name", job.name());
      json.writeStringField("model", job.model());
      json.writeStringField("durations", job.durations());
      json.writeStringField("communication", job.communication());
      time(json, "step_us", job.step());
      json.writeArrayFieldStart("stages");
      for (Line line : lines) {
        write(json, line);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /** Indents with the same line breaks everywhere. */
  private static DefaultPrettyPrinter printer() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    return printer;
  }

  private static void write(JsonGenerator json, Line line) throws IOException {
    json.writeStartObject();
    if (!line.job().isEmpty()) {
      json.writeStringField("job", line.job());
    }
    json.writeNumberField("stage", line.stage());
    json.writeStringField("ranks", line.ranks());
    time(json, "compute_us", line.compute());
    time(json, "communication_us", line.communication());
    time(json, "overlapped_us", line.overlapped());
    json.writeFieldName("idle_share");
    json.writeNumber(String.format(Locale.ROOT, "%.6f", line.idle()));
    json.writeEndObject();
  }

  private static void time(JsonGenerator json, String key, long nanoseconds) throws IOException {
    json.writeFieldName(key);
    json.writeNumber(Microseconds.text(nanoseconds));
  }
}
