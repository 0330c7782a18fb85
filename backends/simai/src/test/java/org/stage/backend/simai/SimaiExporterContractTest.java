package org.stage.backend.simai;

import java.util.Optional;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.workload.Workload;
import org.stage.testkit.Corpus;
import org.stage.testkit.ExporterContract;

class SimaiExporterContractTest extends ExporterContract {
  @Override
  protected Exporter exporter() {
    return new SimaiExporter();
  }

  /** SimAI's files say how long kernels take, so a job without hardware is refused. */
  @Override
  protected Workload prepared(Workload plain) {
    return Corpus.onHardware(plain);
  }

  @Override
  protected Optional<TraceValidator> validator() {
    return Optional.of(new SimaiValidator());
  }

  @Override
  protected boolean ofTheWholeJob() {
    // a file speaks for all ranks of a stage, and the option stage says of which
    return true;
  }
}
