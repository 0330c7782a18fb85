package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

/** Calls the exporter as a host does, on workloads written as text. */
final class Exports {
  /** 10 GFLOP/s and 1 GB/s: 10,000 FLOPs or 1,000 bytes a microsecond. */
  static final String SLOW = "hardware slow memory=1.0 bandwidth=1.0 bf16=0.01";

  private Exports() {}

  /** A job on {@code mesh}, whose ranks all execute {@code nodes}. */
  static Workload job(String mesh, String... nodes) {
    return parse(mesh, SLOW, nodes);
  }

  static Workload parse(String mesh, String hardware, String... nodes) {
    return Corpus.job(mesh, hardware, nodes);
  }

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    return exportRanks(workload, directory, "", options);
  }

  static ExportReport exportRanks(
      Workload workload, Path directory, String ranks, String... options) throws IOException {
    TestExport export = TestExport.of(new GenieExporter()).ranks(ranks);
    for (int i = 0; i < options.length; i += 2) {
      export.option(options[i], options[i + 1]);
    }
    return export.run(workload, directory);
  }

  static List<Node> nodes(Path file) throws IOException {
    List<Node> nodes = new ArrayList<>();
    try (TraceReader in = new TraceReader(file)) {
      for (Node node = in.next(); node != null; node = in.next()) {
        nodes.add(node);
      }
    }
    return nodes;
  }
}
