package org.stage.backend.dot;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class DotExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new DotExporter();
  }
}
