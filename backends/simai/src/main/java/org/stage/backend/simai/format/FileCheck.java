package org.stage.backend.simai.format;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks a workload file as SimAI-Analytical reads it.
 *
 * @param rows that it reads
 * @param faults what is wrong
 */
public record FileCheck(int rows, List<Fault> faults) {
  /** SimAI reads the number in front and ignores the rest of the line. */
  private static final Pattern COUNT = Pattern.compile("\\s*(\\d{1,9}).*");

  /** Copies the list. */
  public FileCheck {
    faults = List.copyOf(faults);
  }

  /** The workload files in {@code directory}, by name. */
  public static List<Path> find(Path directory) throws IOException {
    List<Path> candidates;
    try (Stream<Path> files = Files.list(directory)) {
      candidates =
          files
              .filter(file -> String.valueOf(file.getFileName()).endsWith(".txt"))
              .filter(Files::isRegularFile)
              .sorted()
              .toList();
    }
    List<Path> found = new ArrayList<>();
    for (Path file : candidates) {
      try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
        String first = reader.readLine();
        if (first != null && HeaderCheck.isHeader(first)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /**
   * Reads and checks a file.
   *
   * @throws IOException if it cannot be read
   */
  public static FileCheck of(Path file) throws IOException {
    return of(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
  }

  static FileCheck of(List<String> lines) {
    FileFaults faults = new FileFaults();
    Degrees degrees = HeaderCheck.check(lines.isEmpty() ? "" : lines.get(0), faults);
    Matcher count = COUNT.matcher(lines.size() < 2 ? "" : lines.get(1));
    if (!count.matches()) {
      faults.error(2, "the number of rows is missing", "SimAI aborts.");
      return new FileCheck(0, faults.list());
    }
    int rows = checkRows(lines, Integer.parseInt(count.group(1)), degrees, faults);
    return new FileCheck(rows, faults.list());
  }

  /** Takes field after field: line breaks mean nothing to SimAI. Returns the rows it reads. */
  private static int checkRows(List<String> lines, int count, Degrees degrees, FileFaults faults) {
    RowCheck check = new RowCheck(degrees, faults);
    List<String> fields = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    int rows = 0;
    for (int i = 2; i < lines.size(); i++) {
      for (String word : lines.get(i).strip().split("\\s+")) {
        if (word.isEmpty()) {
          continue;
        }
        if (rows == count) {
          faults.warning(
              i + 1, "there is more than the " + count + " rows of line 2", "SimAI ignores it.");
          return rows;
        }
        fields.add(word);
        places.add(i + 1);
        if (fields.size() == degrees.fields()) {
          rows++;
          if (!check.check(fields, places)) {
            return rows;
          }
          fields.clear();
          places.clear();
        }
      }
    }
    if (rows < count) {
      faults.error(
          lines.size(),
          "there are " + rows + " whole rows, line 2 says " + count,
          "SimAI counts the last one again, or what is left in memory.");
    }
    return rows;
  }
}
