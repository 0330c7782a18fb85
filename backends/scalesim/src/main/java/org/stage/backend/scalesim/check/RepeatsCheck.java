package org.stage.backend.scalesim.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.scalesim.format.Gemm;
import org.stage.backend.scalesim.format.SystolicArray;

/** Checks that a side file tells of the rows of its topology. */
final class RepeatsCheck {
  private final Path file;
  private final List<Optional<Gemm>> topology;
  private final Optional<SystolicArray> array;
  private final Faults faults;
  private final BitSet told = new BitSet();

  /** With an {@code array}, cycles are computed anew. */
  RepeatsCheck(
      Path file, List<Optional<Gemm>> topology, Optional<SystolicArray> array, Faults faults) {
    this.file = file;
    this.topology = topology;
    this.array = array;
    this.faults = faults;
  }

  void run() throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String header = in.readLine();
      List<String> columns =
          Arrays.stream((header == null ? "" : header).split(",")).map(String::strip).toList();
      int number = 1;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (!line.isBlank()) {
          check(new Cells(At.line(file, number), columns, line.split(",", -1)));
        }
      }
    }
    int missing = told.nextClearBit(0);
    if (missing < topology.size()) {
      faults.warning(
          file.toString(),
          "row " + missing + " of the topology is not told of",
          "Its count is not known.");
    }
  }

  private void check(Cells cells) {
    Optional<Long> row = cells.number(0, "row", "LayerID");
    Optional<Long> count = cells.number(1, "count", "repeat");
    if (row.isEmpty() || count.isEmpty()) {
      return;
    }
    long rows = cells.has("rows") ? cells.number(1, "rows").orElse(1L) : 1;
    if (row.get() + rows > topology.size()) {
      faults.error(
          cells.source,
          "tells of rows "
              + row.get()
              + " and "
              + (rows - 1)
              + " more, but there are "
              + topology.size(),
          "Export both files together.");
      return;
    }
    for (int i = row.get().intValue(); i < row.get() + rows; i++) {
      told.set(i);
      topology.get(i).ifPresent(gemm -> checkShape(cells, gemm));
    }
  }

  private void checkShape(Cells cells, Gemm gemm) {
    List<Optional<Long>> said =
        List.of(cells.number(1, "M"), cells.number(1, "N"), cells.number(1, "K"));
    if (said.contains(Optional.<Long>empty())) {
      return;
    }
    Gemm here =
        new Gemm(said.get(0).orElseThrow(), said.get(1).orElseThrow(), said.get(2).orElseThrow());
    if (!here.equals(gemm)) {
      faults.error(
          cells.source,
          "says "
              + here.m()
              + " x "
              + here.n()
              + " x "
              + here.k()
              + " of a row that is "
              + gemm.m()
              + " x "
              + gemm.n()
              + " x "
              + gemm.k(),
          "Export both files together.");
      return;
    }
    if (array.isPresent() && cells.has("cycles")) {
      checkCycles(cells, array.get(), gemm);
    }
  }

  private void checkCycles(Cells cells, SystolicArray array, Gemm gemm) {
    try {
      long cycles = array.cycles(gemm);
      cells
          .number(0, "cycles")
          .filter(said -> said != cycles)
          .ifPresent(
              said ->
                  faults.error(
                      cells.source,
                      "says " + said + " cycles, where the configured array takes " + cycles,
                      "Export both files together."));
    } catch (ArithmeticException e) {
      faults.error(cells.source, "takes more than 2^63 cycles", "Make the product smaller.");
    }
  }

  /** A line by the names of its columns. */
  private final class Cells {
    private final String source;
    private final List<String> columns;
    private final String[] cells;

    Cells(String source, List<String> columns, String[] cells) {
      this.source = source;
      this.columns = columns;
      this.cells = cells;
    }

    boolean has(String column) {
      return columns.contains(column);
    }

    /** The whole number under one of {@code names}, at least {@code least}. */
    Optional<Long> number(long least, String... names) {
      for (String name : names) {
        int index = columns.indexOf(name);
        if (index < 0) {
          continue;
        }
        String cell = index < cells.length ? cells[index].strip() : "";
        if (cell.matches("\\d{1,18}") && Long.parseLong(cell) >= least) {
          return Optional.of(Long.valueOf(cell));
        }
        faults.error(
            source, name + " is '" + cell + "'", "Expected a whole number from " + least + " up.");
        return Optional.empty();
      }
      faults.error(source, "there is no column " + names[0], "Add it to the header.");
      return Optional.empty();
    }
  }
}
