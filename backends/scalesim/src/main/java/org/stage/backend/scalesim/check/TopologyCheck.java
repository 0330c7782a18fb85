package org.stage.backend.scalesim.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.scalesim.format.Gemm;
import org.stage.backend.scalesim.format.TopologyKind;

/** Reads a topology as SCALE-Sim does, and says where it would stop or misread. */
final class TopologyCheck {
  private final Path file;
  private final TopologyKind kind;
  private final Faults faults;
  private final List<Optional<Gemm>> rows = new ArrayList<>();

  TopologyCheck(Path file, TopologyKind kind, Faults faults) {
    this.file = file;
    this.kind = kind;
    this.faults = faults;
  }

  void run() throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (number == 1) {
          header(line);
        } else if (!line.isBlank()) {
          row(At.line(file, number), line);
        }
      }
    }
    if (rows.isEmpty()) {
      faults.error(file.toString(), "there is no layer", "Add rows behind the header.");
    }
  }

  /** The products, by row; empty where a row is damaged, or a convolution. */
  List<Optional<Gemm>> rows() {
    return rows;
  }

  private void header(String line) {
    if (line.isBlank()) {
      faults.error(
          At.line(file, 1),
          "the first line is blank, so the header would be read as a layer",
          "Begin with the header.");
    } else if (new RowCheck(kind, At.line(file, 1), new Faults(1_000)).sizes(line).isPresent()) {
      faults.error(
          At.line(file, 1),
          "the first line is a layer, and SCALE-Sim drops it",
          "Put a header before it.");
    }
  }

  private void row(String source, String line) {
    Optional<long[]> sizes = new RowCheck(kind, source, faults).sizes(line);
    rows.add(
        sizes.filter(of -> kind == TopologyKind.GEMM).map(of -> new Gemm(of[0], of[1], of[2])));
  }
}
