package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.testkit.Corpus;
import org.stage.testkit.ExporterContract;

class GenieExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new GenieExporter();
  }

  /** Genie waits by the clock for a kernel, so it refuses a job without hardware. */
  @Override
  protected Workload prepared(Workload plain) {
    return Corpus.onHardware(plain);
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new GenieValidator());
  }

  /** Nodes that are merged have the name of the first. */
  @Override
  protected Map<String, String> options() {
    return Map.of("merge", "false");
  }

  @Override
  protected Set<String> nodeNames(Path directory) throws IOException {
    return Exports.nodes(directory.resolve("w.0.et")).stream()
        .map(Node::getName)
        .collect(Collectors.toSet());
  }
}
