package org.stage.backend.scalesim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Workload;

/** Writes {@code totals.json}: what became rows, what it costs, and what did not become any. */
final class ReportFile {
  private final Workload workload;
  private final Settings settings;

  ReportFile(Workload workload, Settings settings) {
    this.workload = workload;
    this.settings = settings;
  }

  void write(Path file, List<ClassResult> results) throws IOException {
    // the same line ends everywhere
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    try (Writer out = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(indenter));
      json.writeStartObject();
      json.writeStringField("format", "scalesim");
      json.writeStringField("workload", workload.name());
      json.writeStringField("model", workload.model());
      json.writeStringField("mesh", workload.mesh().toString());
      writeTarget(json);
      json.writeArrayFieldStart("classes");
      for (ClassResult result : results) {
        write(json, result);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private void writeTarget(JsonGenerator json) throws IOException {
    Target target = settings.target();
    json.writeObjectFieldStart("target");
    json.writeStringField("preset", target.name());
    json.writeNumberField("arrays", target.arrays());
    json.writeNumberField("height", target.array().height());
    json.writeNumberField("width", target.array().width());
    json.writeStringField("dataflow", target.array().dataflow().text());
    if (target.clockMhz() > 0) {
      json.writeNumberField("clock_mhz", target.clockMhz());
    }
    json.writeEndObject();
  }

  private void write(JsonGenerator json, ClassResult result) throws IOException {
    ClassTally tally = result.tally();
    json.writeStartObject();
    json.writeStringField("topology", result.topology());
    json.writeNumberField("stage", result.stage());
    json.writeStringField("ranks", result.ranks().toString());
    json.writeNumberField("rows", result.rows());
    json.writeNumberField("kernels", tally.translated());
    json.writeNumberField("row_flops", tally.rowFlops());
    json.writeNumberField("matrix_flops", tally.matrixFlops());
    json.writeNumberField("excess_flops", tally.excessFlops());
    json.writeNumberField("other_flops", tally.otherFlops());
    json.writeNumberField("share_not_in_rows", rounded(tally.restShare()));
    json.writeNumberField("elapsed_cycles", result.cycles().elapsed());
    if (settings.target().clockMhz() > 0) {
      double seconds = result.cycles().elapsed() / (settings.target().clockMhz() * 1e6);
      json.writeNumberField("elapsed_seconds", seconds);
    }
    json.writeObjectFieldStart("elapsed_cycles_by_phase");
    for (Map.Entry<String, Long> phase : result.cycles().byPhase().entrySet()) {
      json.writeNumberField(phase.getKey(), phase.getValue());
    }
    json.writeEndObject();
    writeRest(json, tally);
    json.writeEndObject();
  }

  private static void writeRest(JsonGenerator json, ClassTally tally) throws IOException {
    double all = (double) tally.matrixFlops() + tally.otherFlops();
    json.writeArrayFieldStart("not_in_rows");
    for (Map.Entry<String, Rest> each : tally.rest().entrySet()) {
      Rest rest = each.getValue();
      double flops = (double) rest.matrixFlops() + rest.otherFlops();
      json.writeStartObject();
      json.writeStringField("what", each.getKey());
      json.writeNumberField("nodes", rest.nodes());
      json.writeNumberField("matrix_flops", rest.matrixFlops());
      json.writeNumberField("other_flops", rest.otherFlops());
      json.writeNumberField("share", all == 0 ? 0 : rounded(flops / all));
      json.writeNumberField("bytes", rest.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Six digits behind the point: more is noise. */
  private static double rounded(double share) {
    return Math.round(share * 1e6) / 1e6;
  }
}
