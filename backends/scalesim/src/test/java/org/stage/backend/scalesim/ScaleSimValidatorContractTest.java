package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;
import org.stage.testkit.ValidatorContract;

class ScaleSimValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new ScaleSimValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    TestExport.of(new ScaleSimExporter()).run(Corpus.get("one-device"), folder);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".rank0.csv"))
          .sorted()
          .findFirst()
          .orElseThrow();
    }
  }

  @Override
  protected boolean knowsFilesByContent() {
    return true;
  }
}
