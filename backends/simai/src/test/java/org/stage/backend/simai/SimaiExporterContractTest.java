package org.stage.backend.simai;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class SimaiExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new SimaiExporter();
  }
}
