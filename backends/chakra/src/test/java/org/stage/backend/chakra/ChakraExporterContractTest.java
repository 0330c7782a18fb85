package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.testkit.ExporterContract;

class ChakraExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new ChakraExporter();
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new ChakraValidator());
  }

  @Override
  protected Set<String> nodeNames(Path directory) throws IOException {
    return Traces.nodes(directory, 0).stream().map(Node::getName).collect(Collectors.toSet());
  }
}
