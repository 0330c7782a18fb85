package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.chakra.check.SetCheck;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceSet;

/** Checks Chakra trace sets: what ASTRA-sim would refuse, lose, or hang on. */
@Extension
public final class ChakraValidator implements TraceValidator {
  private static final String LOGICAL_TOPOLOGY = "logical_topology.*\\.json";

  @Override
  public String name() {
    return "chakra";
  }

  @Override
  public String description() {
    return "checks Chakra execution traces (.et) as ASTRA-sim would read and run them";
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything().withFiles("*.et");
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return TraceSet.any(directory) && !hasLogicalTopology(directory);
  }

  /** With such a file beside them, traces are for Genie, whose own check asks for more. */
  private static boolean hasLogicalTopology(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> String.valueOf(file.getFileName()).matches(LOGICAL_TOPOLOGY));
    }
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    List<Diagnostic> diagnostics = new ArrayList<>();
    List<TraceSet> sets;
    try {
      sets = TraceSet.find(directory);
    } catch (TraceFormatException e) {
      String file = e.file().toString();
      diagnostics.add(Diagnostic.error(file, e.problem(), "Remove one of the two."));
      return new Validation("nothing was checked", diagnostics);
    }
    if (sets.isEmpty()) {
      diagnostics.add(
          Diagnostic.error(
              directory.toString(),
              "there are no files named like workload.0.et",
              "Give the folder of a trace set."));
    }
    long nodes = 0;
    int ranks = 0;
    for (TraceSet set : sets) {
      SetCheck check = new SetCheck(set);
      diagnostics.addAll(check.run(progress));
      nodes += check.nodes();
      ranks += set.ranks().size();
    }
    String summary = Counted.of(ranks, "rank") + ", " + Counted.of(nodes, "node");
    return new Validation(
        sets.size() > 1 ? sets.size() + " trace sets, " + summary : summary, diagnostics);
  }
}
