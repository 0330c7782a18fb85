package org.stage.backend.scalesim.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the rows of a CSV file tell of. */
public enum TopologyKind {
  /** A product a row: name, M, N, K. */
  GEMM(3),
  /** A convolution a row: name, height and width of input and filter, channels, filters, stride. */
  CONVOLUTION(7),
  /** Counts of the rows of a topology. */
  REPEATS(0),
  /** No topology. */
  OTHER(0);

  private final int sizes;

  TopologyKind(int sizes) {
    this.sizes = sizes;
  }

  /** How many sizes a row has. */
  public int sizes() {
    return sizes;
  }

  /** The cells of a row as SCALE-Sim sees them: what follows the last comma is not read. */
  public static List<String> cells(String line) {
    int last = line.lastIndexOf(',');
    if (last < 0) {
      return List.of();
    }
    return Arrays.stream(line.substring(0, last).split(",", -1)).map(String::strip).toList();
  }

  /** What a file of that name and first line is. */
  public static TopologyKind of(String fileName, String firstLine) {
    String header = firstLine.toLowerCase(Locale.ROOT);
    List<String> names = new ArrayList<>(cells(header + ","));
    if (header.contains("intraline")) {
      return OTHER;
    }
    if (names.contains("count") || names.contains("repeat")) {
      return fileName.matches(".*[._]repeats\\.csv") ? REPEATS : OTHER;
    }
    if (names.containsAll(List.of("m", "n", "k"))) {
      return GEMM;
    }
    if (header.contains("ifmap h")) {
      return CONVOLUTION;
    }
    return ofRow(names);
  }

  /** What a row without a header before it would be. */
  private static TopologyKind ofRow(List<String> cells) {
    long numbers = cells.stream().skip(1).takeWhile(cell -> cell.matches("\\d+")).count();
    return numbers == GEMM.sizes ? GEMM : numbers >= CONVOLUTION.sizes ? CONVOLUTION : OTHER;
  }
}
