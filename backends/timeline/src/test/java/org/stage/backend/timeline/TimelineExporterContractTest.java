package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.ExporterContract;

class TimelineExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new TimelineExporter();
  }

  @Override
  protected boolean dependsOnRanks(String file) {
    // one file shows all ranks that were asked for
    return file.startsWith("timeline.json");
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new TimelineValidator());
  }

  @Override
  protected Set<String> nodeNames(Path directory) throws IOException {
    return TraceEvents.read(directory.resolve("timeline.json")).of("X").stream()
        .map(slice -> slice.path("name").asText())
        .collect(Collectors.toSet());
  }
}
