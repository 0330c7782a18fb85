package org.stage.backend.scalesim;

import java.util.Optional;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.ExporterContract;

class ScaleSimExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new ScaleSimExporter();
  }

  @Override
  protected boolean dependsOnRanks(String file) {
    // one lists what was exported, the other spaces addresses by the largest matrix of that
    return file.equals("totals.json") || file.endsWith(".cfg");
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new ScaleSimValidator());
  }
}
