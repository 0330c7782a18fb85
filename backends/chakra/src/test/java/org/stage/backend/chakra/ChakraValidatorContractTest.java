package org.stage.backend.chakra;

import static org.stage.backend.chakra.TraceFiles.allReduce;
import static org.stage.backend.chakra.TraceFiles.compute;

import java.io.IOException;
import java.nio.file.Path;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.ValidatorContract;

class ChakraValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new ChakraValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    new TraceFiles(folder).ranks(2, compute(1), allReduce(2, "", 1), compute(3, 2));
    return folder.resolve("w.1.et");
  }
}
