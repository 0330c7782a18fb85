package org.stage.backend.genie;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.stage.api.plugin.TraceValidator;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;
import org.stage.testkit.ValidatorContract;

class GenieValidatorContractTest extends ValidatorContract {
  @Override
  protected TraceValidator validator() {
    return new GenieValidator();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    TestExport.of(new GenieExporter()).run(Corpus.onHardware(Corpus.get("data-parallel")), folder);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".et"))
          .sorted()
          .findFirst()
          .orElseThrow();
    }
  }
}
