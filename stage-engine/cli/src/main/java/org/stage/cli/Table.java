package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rows under a heading, in columns as wide as their widest cell. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();
  private final boolean[] numeric;

  /**
   * A table with a heading.
   *
   * @param heading one cell a column; a column whose heading begins with {@code >} is set flush
   *     right
   */
  Table(String... heading) {
    numeric = new boolean[heading.length];
    String[] plain = new String[heading.length];
    for (int i = 0; i < heading.length; i++) {
      numeric[i] = heading[i].startsWith(">");
      plain[i] = numeric[i] ? heading[i].substring(1) : heading[i];
    }
    rows.add(plain);
  }

  void row(String... cells) {
    rows.add(cells.clone());
  }

  void print(PrintWriter out) {
    int[] widths = new int[numeric.length];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    rows.forEach(row -> out.println(line(row, widths)));
  }

  private String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String format = "%" + (numeric[i] ? "" : "-") + widths[i] + "s";
      // a format of width 0 does not exist
      line.append(widths[i] == 0 ? "" : String.format(Locale.ROOT, format, row[i])).append("  ");
    }
    return line.toString().stripTrailing();
  }

  @Override
  public String toString() {
    return rows.stream().map(Arrays::toString).toList().toString();
  }
}
