package org.stage.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.ExportReport;

/**
 * {@code export-report.json}: what an export lost, and what its user should know. It is the host's,
 * so that losses of reading are in it too; an exporter that has more to say writes another file.
 */
final class ReportFile {
  static final String NAME = "export-report.json";

  private ReportFile() {}

  /** Writes it into {@code directory} if there is anything to say. */
  static void write(Path directory, String format, String workload, ExportReport report)
      throws IOException {
    if (report.losses().isEmpty() && report.notes().isEmpty()) {
      return;
    }
    Files.writeString(
        directory.resolve(NAME),
        "{\n  \"format\": "
            + quoted(format)
            + ",\n  \"workload\": "
            + quoted(workload)
            + ",\n  \"nodes\": "
            + report.nodes()
            + ",\n  \"losses\": "
            + list(report.losses())
            + ",\n  \"notes\": "
            + list(report.notes())
            + "\n}\n");
  }

  private static String list(List<Diagnostic> diagnostics) {
    return diagnostics.isEmpty()
        ? "[]"
        : diagnostics.stream()
            .map(ReportFile::object)
            .collect(Collectors.joining(",\n    ", "[\n    ", "\n  ]"));
  }

  private static String object(Diagnostic diagnostic) {
    return "{\"severity\": "
        + quoted(diagnostic.severity().name().toLowerCase(Locale.ROOT))
        + ", \"source\": "
        + quoted(diagnostic.source())
        + ", \"message\": "
        + quoted(diagnostic.message())
        + ", \"remedy\": "
        + quoted(diagnostic.remedy())
        + "}";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
