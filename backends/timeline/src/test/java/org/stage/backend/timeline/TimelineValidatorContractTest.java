package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;
import org.stage.testkit.ValidatorContract;

class TimelineValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new TimelineValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    TestExport.of(new TimelineExporter()).run(Corpus.get("one-device"), folder);
    return folder.resolve("timeline.json");
  }
}
