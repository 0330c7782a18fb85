package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.Node;

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
    int devices = 1;
    for (String axis : mesh.split(" ")) {
      devices *= Integer.parseInt(axis.split("=")[1]);
    }
    return ExecutionText.parseWorkload(
        String.join(
            "\n",
            "workload w",
            "model tiny",
            "mesh " + mesh,
            "precision weights=bf16 activations=bf16 gradients=fp32",
            hardware,
            "class stage=0 ranks=" + (devices == 1 ? "0" : "0-" + (devices - 1)),
            String.join("\n", nodes)));
  }

  static ExportReport export(Workload workload, Path directory, String... options)
      throws IOException {
    return exportRanks(workload, directory, "0-" + (workload.mesh().devices() - 1), options);
  }

  static ExportReport exportRanks(
      Workload workload, Path directory, String ranks, String... options) throws IOException {
    Map<String, String> given = new TreeMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    GenieExporter exporter = new GenieExporter();
    OptionValues values = OptionValues.of("test", exporter.options(), given);
    return exporter.export(
        workload, new Context(directory, values, RankSet.parse(ranks), Progress.NONE));
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

  record Context(Path directory, OptionValues options, RankSet ranks, Progress progress)
      implements ExportContext {
    @Override
    public void checkCancelled() {}

    @Override
    public Logger log() {
      return NOPLogger.NOP_LOGGER;
    }
  }
}
