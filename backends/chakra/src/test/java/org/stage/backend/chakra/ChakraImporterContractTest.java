package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.testkit.WorkloadImporterContract;

class ChakraImporterContractTest extends WorkloadImporterContract {
  @Override
  protected WorkloadImporter importer() {
    return new ChakraImporter();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    Foreign.write(folder.resolve("et.0.et"), Foreign.pytorch(0));
    Foreign.write(folder.resolve("et.1.et"), Foreign.pytorch(1));
    return folder.resolve("et.1.et");
  }
}
