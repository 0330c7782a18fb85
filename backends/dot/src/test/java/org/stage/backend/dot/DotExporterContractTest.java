package org.stage.backend.dot;

import java.util.Optional;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.ExporterContract;

class DotExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new DotExporter();
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new DotValidator());
  }

  @Override
  protected boolean ofTheWholeJob() {
    // the option rank says which one is drawn
    return true;
  }
}
