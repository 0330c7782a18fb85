package org.stage.backend.scalesim;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class ScaleSimExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new ScaleSimExporter();
  }

  @Override
  protected boolean dependsOnRanks(String file) {
    // it lists what was exported
    return file.equals("totals.json");
  }
}
