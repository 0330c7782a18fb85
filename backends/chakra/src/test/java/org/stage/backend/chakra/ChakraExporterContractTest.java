package org.stage.backend.chakra;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class ChakraExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new ChakraExporter();
  }
}
