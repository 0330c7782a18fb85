package org.stage.backend.scalesim.check;

import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.scalesim.format.TopologyKind;

/**
 * Checks a row of a topology.
 *
 * @param kind what the row tells of
 * @param source where it stands
 * @param faults where faults go
 */
record RowCheck(TopologyKind kind, String source, Faults faults) {
  private static final int MAX_DIGITS = 18;

  /** The sizes in the row, if it is sound. */
  Optional<long[]> sizes(String line) {
    List<String> cells = TopologyKind.cells(line);
    String behind = line.substring(line.lastIndexOf(',') + 1).strip();
    if (cells.size() <= kind.sizes()) {
      faults.error(
          source,
          "'"
              + line.strip()
              + "' has "
              + cells.size()
              + " entries before its last comma, expected "
              + (kind.sizes() + 1),
          "End every row with a comma.");
      return Optional.empty();
    }
    if (!behind.isEmpty()) {
      faults.warning(
          source, "'" + behind + "' behind the last comma is not read", "Add a comma, or drop it.");
    }
    checkName(cells.get(0));
    long[] sizes = new long[kind.sizes()];
    for (int i = 0; i < sizes.length; i++) {
      Optional<Long> size = size(cells.get(i + 1));
      if (size.isEmpty()) {
        return Optional.empty();
      }
      sizes[i] = size.get();
    }
    checkFilter(sizes);
    checkMore(cells.subList(kind.sizes() + 1, cells.size()));
    return Optional.of(sizes);
  }

  private void checkName(String name) {
    if (name.startsWith("#")) {
      faults.warning(
          source, "'" + name + "' is a layer to SCALE-Sim, no comment", "Remove the row.");
    }
    if (kind == TopologyKind.CONVOLUTION && name.contains("DP")) {
      faults.warning(
          source,
          "'" + name + "' contains DP: it becomes one layer for each channel, and later rows shift",
          "Rename it, unless it is depthwise.");
    }
  }

  private Optional<Long> size(String cell) {
    boolean whole = cell.matches("\\d+") && cell.length() <= MAX_DIGITS;
    if (!whole || Long.parseLong(cell) < 1) {
      faults.error(
          source,
          "'" + cell + "' is not a size",
          "Write whole numbers from 1 up, without a point.");
      return Optional.empty();
    }
    return Optional.of(Long.valueOf(cell));
  }

  private void checkFilter(long[] sizes) {
    if (kind == TopologyKind.CONVOLUTION && (sizes[2] > sizes[0] || sizes[3] > sizes[1])) {
      faults.error(
          source,
          "the filter of "
              + sizes[2]
              + " x "
              + sizes[3]
              + " is larger than its input of "
              + sizes[0]
              + " x "
              + sizes[1],
          "Inputs are given with their padding.");
    }
  }

  /** What the two versions disagree about. */
  private void checkMore(List<String> more) {
    if (more.isEmpty()) {
      return;
    }
    String first = more.get(0);
    boolean sparse = more.size() == 1 && first.matches("[1-9]\\d{0,3}:[1-9]\\d{0,3}");
    boolean stride = more.size() == 1 && first.matches("[1-9]\\d{0,8}");
    if (sparse) {
      faults.warning(
          source, "the sparsity " + first + " is read by v3 only", "For v2, remove that column.");
    } else if (kind == TopologyKind.CONVOLUTION && stride) {
      faults.warning(
          source,
          "a ninth column is the stride along the width to v2, whatever its header says; v3 stops",
          "Remove it; there is no batch.");
    } else {
      faults.error(
          source,
          "'" + String.join(", ", more) + "' is more than a layer has: v2 passes over it, v3 stops",
          "Remove the columns; fold a batch into M, or repeat the row.");
    }
  }
}
