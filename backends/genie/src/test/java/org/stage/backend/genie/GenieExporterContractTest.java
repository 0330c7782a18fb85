package org.stage.backend.genie;

import java.util.Map;
import java.util.Optional;
import org.stage.api.plugin.Exporter;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;
import org.stage.testkit.ExporterContract;

class GenieExporterContractTest extends ExporterContract {
  private static final Hardware HARDWARE = new Hardware("test", Map.of("bf16", 100.0), 80, 2000);

  @Override
  protected Exporter exporter() {
    return new GenieExporter();
  }

  /** Genie waits by the clock for a kernel, so it refuses a job without hardware. */
  @Override
  protected Workload prepared(Workload plain) {
    return new Workload(
        plain.name(),
        plain.model(),
        plain.mesh(),
        plain.precision(),
        Optional.of(HARDWARE),
        plain.network(),
        plain.classes());
  }
}
