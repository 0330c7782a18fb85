package org.stage.example.csv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class CsvExporterContractTest extends ExporterContract {
  private static final Pattern LINE = Pattern.compile("(?m)^\\d+,((?:\"(?:[^\"]|\"\")*\")|[^,]*),");

  @Override
  protected Exporter exporter() {
    return new CsvExporter();
  }

  /** The second cell of each line. */
  @Override
  protected Set<String> nodeNames(Path directory) throws IOException {
    Set<String> names = new HashSet<>();
    Matcher line = LINE.matcher(Files.readString(directory.resolve("rank0.csv")));
    while (line.find()) {
      String cell = line.group(1);
      names.add(
          cell.startsWith("\"")
              ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"")
              : cell);
    }
    return names;
  }
}
