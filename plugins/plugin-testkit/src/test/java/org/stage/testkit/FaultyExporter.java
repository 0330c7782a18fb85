package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** An exporter that keeps the contract but for one fault. */
final class FaultyExporter implements Exporter {
  /** What is wrong with it. */
  enum Fault {
    NONE,
    NAME,
    UNDECLARED,
    REFUSES_NOTHING,
    LOSES_SILENTLY,
    NAMES_THREADS,
    DROPS_DEPENDENCIES,
    CUTS_SIZES,
    COUNTS_RUNS,
    DEFAULT_LOCALE,
    WRITES_BESIDE,
    NAMES_FILES_BY_WORKLOAD,
    MIXES_RANKS,
    RANK_0_ONLY,
    IGNORES_RANKS,
    FILLS_GAPS,
    COUNTS_FILES,
    BREAKS_ON_A_WORKLOAD,
    QUOTES_NOTHING,
    CUTS_NAMES,
    REFUSES_NO_NAME,
    FORGETS_NAMES,
    BREAKS_ON_AN_OPTION,
    BREAKS_ON_NAMES,
    RECURSES,
    NEVER_STOPS,
    OVERSHOOTS,
    SWALLOWS_FAILURES
  }

  private final Fault fault;
  private int runs;

  FaultyExporter(Fault fault) {
    this.fault = fault;
  }

  @Override
  public String name() {
    return is(Fault.NAME) ? "My Format" : "mine";
  }

  @Override
  public String description() {
    return "counts nodes";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.ofInteger("width", 8, "columns"));
  }

  @Override
  public Capabilities capabilities() {
    if (is(Fault.UNDECLARED)) {
      return Capabilities.nothing();
    }
    if (is(Fault.LOSES_SILENTLY)) {
      return Capabilities.everything().losing(NodeKind.ALL_REDUCE);
    }
    return is(Fault.REFUSES_NOTHING)
        ? Capabilities.nothing().with(NodeKind.COMPUTE)
        : Capabilities.everything();
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    runs++;
    if (is(Fault.BREAKS_ON_AN_OPTION) && context.options().integer("width") < 0) {
      throw new IllegalStateException("negative");
    }
    if (is(Fault.BREAKS_ON_A_WORKLOAD) && workload.name().contains("\"")) {
      throw new IllegalStateException("quote");
    }
    if (is(Fault.WRITES_BESIDE)) {
      Files.writeString(context.directory().resolveSibling("beside.txt"), "x");
    }
    long nodes = 0;
    int files = 0;
    for (RankClass each : workload.classes()) {
      int size = each.graph().nodes().size();
      check(each, size);
      for (int rank : each.ranks().stream().filter(rank -> wants(context, rank)).toArray()) {
        if (!is(Fault.NEVER_STOPS)) {
          context.checkCancelled();
        }
        int number = is(Fault.COUNTS_FILES) ? files++ : rank;
        write(context.directory().resolve(file(workload, number)), text(each.graph(), context));
        context.progress().report(is(Fault.OVERSHOOTS) ? 99 : 1, 1, "ranks");
        nodes += size;
      }
    }
    return new ExportReport(nodes, List.of());
  }

  private void check(RankClass each, int size) {
    if (is(Fault.RECURSES)) {
      // a walk along dependencies whose step takes some calls
      depth(100 * size);
    }
    if (is(Fault.BREAKS_ON_NAMES)
        && each.graph().nodes().stream().anyMatch(node -> !node.name().matches("[\\w.]+"))) {
      throw new IllegalArgumentException("name");
    }
    if (is(Fault.REFUSES_NO_NAME)
        && each.graph().nodes().stream().anyMatch(node -> node.name().contains("\""))) {
      throw new InputException("names", "one of them has a quote", "");
    }
  }

  private boolean wants(ExportContext context, int rank) {
    RankSet wanted = context.ranks();
    return switch (fault) {
      case RANK_0_ONLY -> rank == 0;
      case IGNORES_RANKS -> true;
      case FILLS_GAPS -> wanted.first() <= rank && rank <= wanted.stream().max().orElseThrow();
      default -> wanted.contains(rank);
    };
  }

  private static int depth(int nodes) {
    return nodes == 0 ? 0 : 1 + depth(nodes - 1);
  }

  private String file(Workload workload, int rank) {
    return (is(Fault.NAMES_FILES_BY_WORKLOAD) ? workload.name() : "rank") + rank + ".txt";
  }

  private String text(ExecutionGraph graph, ExportContext context) {
    int size = graph.nodes().size();
    String text = is(Fault.DEFAULT_LOCALE) ? String.format("%d", size) : "" + size;
    text += is(Fault.COUNTS_RUNS) ? " " + runs : "";
    text += is(Fault.NAMES_THREADS) ? " " + Thread.currentThread().getName() : "";
    text += is(Fault.DROPS_DEPENDENCIES) ? "" : " " + dependencies(graph);
    text += " " + (is(Fault.CUTS_SIZES) ? (int) bytes(graph) : bytes(graph));
    text += is(Fault.MIXES_RANKS) ? " of " + context.ranks().size() : "";
    return text + graph.nodes().stream().map(this::line).collect(joining());
  }

  private String line(Node node) {
    String name = is(Fault.CUTS_NAMES) ? node.name().split("\\s", -1)[0] : node.name();
    String shown = is(Fault.FORGETS_NAMES) ? "node" : name;
    return "\n" + (is(Fault.QUOTES_NOTHING) ? shown : URLEncoder.encode(shown, UTF_8));
  }

  private static int dependencies(ExecutionGraph graph) {
    return graph.nodes().stream().mapToInt(node -> node.dataDeps().size()).sum();
  }

  private static long bytes(ExecutionGraph graph) {
    return graph.nodes().stream()
        .mapToLong(node -> node instanceof Node.Collective sum ? sum.bytes() : 0)
        .sum();
  }

  private void write(Path file, String text) throws IOException {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      if (!is(Fault.SWALLOWS_FAILURES)) {
        throw e;
      }
    }
  }

  private boolean is(Fault other) {
    return fault == other;
  }
}
