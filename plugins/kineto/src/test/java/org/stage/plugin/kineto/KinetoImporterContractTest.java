package org.stage.plugin.kineto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.stage.api.plugin.ProfileImporter;
import org.stage.testkit.ProfileImporterContract;

class KinetoImporterContractTest extends ProfileImporterContract {
  @Override
  protected ProfileImporter importer() {
    return new KinetoImporter();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("rank3.json"), Events.document(Events.Layout.LINES, Events.products()));
  }
}
