package org.stage.backend.genie;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class GenieExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new GenieExporter();
  }
}
