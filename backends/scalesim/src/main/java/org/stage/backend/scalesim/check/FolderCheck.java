package org.stage.backend.scalesim.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.scalesim.format.Gemm;
import org.stage.backend.scalesim.format.SystolicArray;
import org.stage.backend.scalesim.format.TopologyKind;

/** Checks the topologies, side files and configurations of a folder; for one use. */
public final class FolderCheck {
  /** Of a first line, more is not looked at. */
  private static final int HEADER = 4096;

  private final Path directory;
  private final Faults faults = new Faults(1_000);
  private final Map<Path, TopologyKind> tables = new TreeMap<>();
  private final List<Path> configurations = new ArrayList<>();
  private long rows;

  /** Looks at the files in {@code directory}, not at folders in it. */
  public FolderCheck(Path directory) throws IOException {
    this.directory = directory;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(".csv")) {
          TopologyKind kind = TopologyKind.of(name, firstLine(file));
          if (kind != TopologyKind.OTHER) {
            tables.put(file, kind);
          }
        } else if (name.endsWith(".cfg")) {
          configurations.add(file);
        }
      }
    }
  }

  /** Whether there is a topology. */
  public boolean hasTopology() {
    return tables.values().stream().anyMatch(FolderCheck::isTopology);
  }

  /** Checks everything; every fault found. */
  public List<Diagnostic> run() throws IOException {
    if (!hasTopology()) {
      faults.error(directory.toString(), "there is no topology", "Give the folder of one.");
    }
    Optional<SystolicArray> array = Optional.empty();
    for (Path file : configurations) {
      array = new ConfigurationCheck(file, faults).run();
    }
    // with several, nobody knows which a side file means
    Optional<SystolicArray> only = configurations.size() == 1 ? array : Optional.empty();
    for (Map.Entry<Path, TopologyKind> table : tables.entrySet()) {
      if (isTopology(table.getValue())) {
        TopologyCheck check = new TopologyCheck(table.getKey(), table.getValue(), faults);
        check.run();
        rows += check.rows().size();
        checkSide(table.getKey(), check.rows(), only);
      } else if (topologyOf(table.getKey()).isEmpty()) {
        faults.error(
            table.getKey().toString(), "there is no topology beside it", "Add it, or remove this.");
      }
    }
    return faults.all();
  }

  /** One line: what was looked at. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d topologies, %,d rows, %d configurations",
        tables.values().stream().filter(FolderCheck::isTopology).count(),
        rows,
        configurations.size());
  }

  private void checkSide(
      Path topology, List<Optional<Gemm>> products, Optional<SystolicArray> array)
      throws IOException {
    for (Map.Entry<Path, TopologyKind> each : tables.entrySet()) {
      if (each.getValue() == TopologyKind.REPEATS
          && topologyOf(each.getKey()).filter(topology::equals).isPresent()) {
        new RepeatsCheck(each.getKey(), products, array, faults).run();
      }
    }
  }

  /** {@code a.csv} of {@code a.repeats.csv}. */
  private Optional<Path> topologyOf(Path side) {
    String name = String.valueOf(side.getFileName()).replaceFirst("[._]repeats\\.csv$", ".csv");
    return Optional.of(directory.resolve(name)).filter(tables::containsKey);
  }

  private static boolean isTopology(TopologyKind kind) {
    return kind == TopologyKind.GEMM || kind == TopologyKind.CONVOLUTION;
  }

  /** Of a blank first line, what follows it. */
  private static String firstLine(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      char[] start = new char[HEADER];
      int length = Math.max(0, in.read(start));
      return new String(start, 0, length).stripLeading().lines().findFirst().orElse("");
    }
  }
}
