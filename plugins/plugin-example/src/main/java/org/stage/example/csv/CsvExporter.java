package org.stage.example.csv;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pf4j.Extension;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** Writes one table a rank, {@code rank7.csv}: a node a line, cells quoted as RFC 4180 says. */
@Extension
public final class CsvExporter implements Exporter {
  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String description() {
    return "nodes as a table, for spreadsheets";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.ofBoolean("heading", true, "begin with the names of the columns"));
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything();
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    capabilities().require(name(), workload);
    long nodes = 0;
    int files = 0;
    for (RankClass ranks : workload.classes()) {
      ExecutionGraph graph = ranks.graph();
      capabilities().require(name(), workload.meshOf(ranks).mesh(), graph);
      for (int rank : ranks.ranks().stream().filter(context.ranks()::contains).toArray()) {
        context.checkCancelled();
        write("rank" + rank + ".csv", graph, context);
        nodes += graph.nodes().size();
        context.progress().report(++files, context.ranks().size(), "ranks");
      }
    }
    return new ExportReport(nodes, List.of());
  }

  private static void write(String file, ExecutionGraph graph, ExportContext context)
      throws IOException {
    try (Writer out = Files.newBufferedWriter(context.directory().resolve(file))) {
      if (context.options().isSet("heading")) {
        out.write("id,name,kind,phase,flops,bytes,dependencies\r\n");
      }
      for (Node node : graph.nodes()) {
        out.write(line(node) + "\r\n");
      }
    }
  }

  private static String line(Node node) {
    long flops = node instanceof Node.Compute compute ? compute.flops() + compute.otherFlops() : 0;
    String dependencies =
        Stream.concat(node.dataDeps().stream().boxed(), node.controlDeps().stream().boxed())
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    String head = node.id() + "," + quoted(node.name()) + "," + NodeKind.of(node).text();
    return head + "," + node.phase().text() + "," + flops + "," + bytes(node) + "," + dependencies;
  }

  /** Bytes that a kernel touches, or that are sent. */
  private static long bytes(Node node) {
    if (node instanceof Node.Compute compute) {
      return compute.bytesRead() + compute.bytesWritten();
    } else if (node instanceof Node.Collective collective) {
      return collective.bytes();
    }
    return node instanceof Node.Send send ? send.bytes() : 0;
  }

  /** A cell that holds a comma, a quote or a line break stands in quotes, its quotes doubled. */
  static String quoted(String cell) {
    return cell.matches("(?s).*[,\"\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }
}
