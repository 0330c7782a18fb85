package org.stage.backend.genie;

import org.stage.api.plugin.Exporter;
import org.stage.api.workload.Workload;
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
}
