package org.stage.example.csv;

import org.stage.api.plugin.Exporter;
import org.stage.testkit.ExporterContract;

class CsvExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new CsvExporter();
  }
}
