package org.stage.backend.dot;

import java.io.IOException;
import java.nio.file.Path;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;
import org.stage.testkit.ValidatorContract;

class DotValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new DotValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    TestExport.of(new DotExporter()).run(Corpus.get("one-device"), folder);
    return folder.resolve("rank0.dot");
  }
}
