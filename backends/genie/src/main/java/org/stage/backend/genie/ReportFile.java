package org.stage.backend.genie;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.workload.Workload;

/** Writes {@code totals.json}: what was written, in numbers. */
final class ReportFile {
  /** What no trace of Genie says, of any workload. */
  private static final List<String> NEVER_SAID =
      List.of("phases", "operators and shapes", "data types", "tensors", "physical network");

  private ReportFile() {}

  static void write(Path file, Workload workload, Communicators communicators, Totals totals)
      throws IOException {
    // the same line ends everywhere
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    try (Writer out = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(indenter));
      json.writeStartObject();
      json.writeStringField("format", "genie");
      json.writeStringField("workload", workload.name());
      json.writeStringField("model", workload.model());
      json.writeStringField("mesh", workload.mesh().toString());
      json.writeNumberField("ranks", workload.mesh().devices());
      json.writeNumberField("nodes", totals.nodes());
      json.writeNumberField("compute_nodes", totals.computeNodes());
      json.writeNumberField("compute_nodes_written", totals.computeSteps());
      json.writeNumberField("longest_compute_us", totals.longestWait());
      json.writeNumberField("longest_surplus_us", Math.round(totals.surplus() * 1e3) / 1e3);
      json.writeNumberField("longest_message_bytes", totals.longestMessage());
      json.writeNumberField("communicators", communicators.table().size());
      json.writeNumberField("communicators_per_rank", communicators.mostPerRank());
      writeStrings(json, "not_said", NEVER_SAID);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void writeStrings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
