package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.RunContext;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Workload;

/**
 * An importer of one file {@code job.txt} that keeps the contract but for one fault. The file holds
 * {@code mine} and {@code end}, and lines between that are passed on as notes.
 */
final class FaultyImporter implements WorkloadImporter {
  /** What is wrong with it. */
  enum Fault {
    NONE,
    NAME,
    COUNTS_OPTIONS,
    ACCEPTS_NOTHING,
    ACCEPTS_ALL,
    COUNTS_RUNS,
    DEFAULT_LOCALE,
    WRITES_BESIDE,
    TAKES_EMPTY,
    TAKES_ALL,
    NAMES_NO_FILE,
    BREAKS_ON_DAMAGE,
    FAILS_ON_DAMAGE,
    NEVER_STOPS,
    OVERSHOOTS,
    BREAKS_ON_AN_OPTION,
    ILLEGAL_GRAPH,
    NO_NODES
  }

  private static final String FIRST = "mine";
  private final Fault fault;
  private int runs;
  private int asked;

  FaultyImporter(Fault fault) {
    this.fault = fault;
  }

  private boolean is(Fault other) {
    return fault == other;
  }

  @Override
  public String name() {
    return is(Fault.NAME) ? "My Format" : FIRST;
  }

  @Override
  public String description() {
    return "reads one job";
  }

  @Override
  public List<Option> options() {
    asked++;
    return List.of(Option.ofInteger("width", is(Fault.COUNTS_OPTIONS) ? asked : 8, "columns"));
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything();
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return !is(Fault.ACCEPTS_NOTHING)
        && (is(Fault.ACCEPTS_ALL) || Files.exists(directory.resolve("job.txt")));
  }

  @Override
  public Imported read(Path directory, RunContext context) throws IOException {
    runs++;
    if (!is(Fault.NEVER_STOPS)) {
      context.checkCancelled();
    }
    context.progress().report(is(Fault.OVERSHOOTS) ? 2 : 1, 1, "files");
    if (is(Fault.BREAKS_ON_AN_OPTION) && context.options().integer("width") < 0) {
      throw new IllegalStateException("negative");
    }
    if (is(Fault.WRITES_BESIDE)) {
      Files.writeString(directory.resolve("index.txt"), "");
    }
    Path file = directory.resolve("job.txt");
    List<String> lines = new String(Files.readAllBytes(file), UTF_8).lines().toList();
    check(file, lines);
    String note = String.join(" ", lines);
    note += is(Fault.COUNTS_RUNS) ? " " + runs : "";
    note += is(Fault.DEFAULT_LOCALE) ? " " + String.format(Locale.getDefault(), "%.1f", 0.5) : "";
    return new Imported(workload(), List.of(Diagnostic.warning("", note, "")), List.of());
  }

  private void check(Path file, List<String> lines) throws IOException {
    boolean whole = lines.size() > 1 && lines.get(lines.size() - 1).equals("end");
    if (whole && lines.get(0).equals(FIRST)) {
      return;
    }
    if (is(Fault.BREAKS_ON_DAMAGE)) {
      throw new IllegalArgumentException("damaged");
    }
    if (is(Fault.FAILS_ON_DAMAGE)) {
      throw new IOException("damaged");
    }
    if (!is(Fault.TAKES_ALL) && !(is(Fault.TAKES_EMPTY) && lines.isEmpty())) {
      throw new InputException(is(Fault.NAMES_NO_FILE) ? "" : file.toString(), "is damaged", "");
    }
  }

  private Workload workload() {
    Workload workload = Corpus.get(Corpus.ONE_DEVICE);
    return switch (fault) {
      case ILLEGAL_GRAPH -> withGraph(workload, 1);
      case NO_NODES -> withGraph(workload, Integer.MAX_VALUE);
      default -> workload;
    };
  }

  /** Without its first nodes, so that ids are no indices. */
  private static Workload withGraph(Workload workload, int without) {
    return workload.withClasses(
        workload.classes().stream()
            .map(each -> each.withGraph(() -> tail(each.graph(), without)))
            .toList());
  }

  private static ExecutionGraph tail(ExecutionGraph graph, int from) {
    return new ExecutionGraph(
        graph.nodes().stream().skip(from).toList(), graph.tensors(), graph.attributes());
  }
}
