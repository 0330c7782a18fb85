package org.stage.backend.simai;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;
import org.stage.testkit.ValidatorContract;

class SimaiValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new SimaiValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    TestExport.of(new SimaiExporter()).run(Corpus.onHardware(Corpus.get("data-parallel")), folder);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
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
