package org.stage.backend.timeline;

import org.stage.api.plugin.Exporter;
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
}
