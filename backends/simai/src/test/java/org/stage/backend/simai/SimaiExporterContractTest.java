package org.stage.backend.simai;

import java.util.Map;
import java.util.Optional;
import org.stage.api.plugin.Exporter;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;
import org.stage.testkit.ExporterContract;

class SimaiExporterContractTest extends ExporterContract {
  private static final Hardware HARDWARE = new Hardware("test", Map.of("bf16", 100.0), 80, 2000);

  @Override
  protected Exporter exporter() {
    return new SimaiExporter();
  }

  /** SimAI's files say how long kernels take, so a job without hardware is refused. */
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
