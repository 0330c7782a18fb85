package org.stage.backend.simai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.stage.api.workload.Workload;

/** {@code totals.json}: what the files hold, and what they do not, in numbers. */
final class ReportFile {
  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");

  /**
   * A file and the stage in it.
   *
   * @param name of the file
   * @param rows the stage
   */
  record Entry(String name, StageRows rows) {}

  private ReportFile() {}

  static void write(Path file, Workload workload, List<Entry> entries, List<Loss> losses)
      throws IOException {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(INDENT).withArrayIndenter(INDENT);
    try (Writer out = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(out).setPrettyPrinter(printer)) {
      json.writeStartObject();
      json.writeStringField("workload", workload.name());
      json.writeStringField("model", workload.model());
      json.writeStringField("mesh", workload.mesh().toString());
      json.writeArrayFieldStart("files");
      for (Entry entry : entries) {
        write(json, entry);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("losses");
      for (Loss loss : losses) {
        write(json, loss);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, Entry entry) throws IOException {
    StageRows stage = entry.rows();
    json.writeStartObject();
    json.writeStringField("file", entry.name());
    json.writeNumberField("stage", stage.stage());
    json.writeNumberField("rows", stage.rows().size());
    json.writeNumberField("micro_batches", stage.microBatches());
    json.writeObjectFieldStart("compute_ns");
    json.writeNumberField("forward", sum(stage, Column.FORWARD));
    json.writeNumberField("input_grad", sum(stage, Column.INPUT_GRAD));
    json.writeNumberField("weight_grad", sum(stage, Column.WEIGHT_GRAD));
    json.writeEndObject();
    json.writeObjectFieldStart("flops");
    for (var phase : stage.totals().flops().entrySet()) {
      json.writeNumberField(phase.getKey().text(), phase.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("traffic");
    for (Map.Entry<String, Totals.Traffic> traffic : stage.totals().traffic().entrySet()) {
      json.writeStartObject();
      json.writeStringField("comm", traffic.getKey());
      json.writeNumberField("collectives", traffic.getValue().count());
      json.writeNumberField("input_bytes", traffic.getValue().inputBytes());
      json.writeNumberField("tensor_bytes", traffic.getValue().tensorBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private enum Column {
    FORWARD,
    INPUT_GRAD,
    WEIGHT_GRAD
  }

  private static long sum(StageRows stage, Column column) {
    return stage.rows().stream()
        .map(
            row ->
                switch (column) {
                  case FORWARD -> row.forward();
                  case INPUT_GRAD -> row.inputGrad();
                  case WEIGHT_GRAD -> row.weightGrad();
                })
        .mapToLong(pass -> pass.nanoseconds())
        .reduce(0, Math::addExact);
  }

  private static void write(JsonGenerator json, Loss loss) throws IOException {
    json.writeStartObject();
    json.writeStringField("severity", loss.severity().name().toLowerCase(Locale.ROOT));
    json.writeStringField("what", loss.what());
    json.writeStringField("remedy", loss.remedy());
    if (loss.count() > 0) {
      json.writeNumberField("count", loss.count());
    }
    if (loss.bytes() > 0) {
      json.writeNumberField("bytes", loss.bytes());
    }
    json.writeEndObject();
  }
}
