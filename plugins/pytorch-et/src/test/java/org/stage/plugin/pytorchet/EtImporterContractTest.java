package org.stage.plugin.pytorchet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.stage.api.plugin.ProfileImporter;
import org.stage.testkit.ProfileImporterContract;

class EtImporterContractTest extends ProfileImporterContract {
  @Override
  protected ProfileImporter importer() {
    return new PyTorchEtImporter();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    return Files.writeString(folder.resolve("et.json"), EtImporterTest.FLAT);
  }
}
