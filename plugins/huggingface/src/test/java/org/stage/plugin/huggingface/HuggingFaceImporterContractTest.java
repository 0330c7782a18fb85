package org.stage.plugin.huggingface;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.stage.api.plugin.ModelImporter;
import org.stage.testkit.ModelImporterContract;

class HuggingFaceImporterContractTest extends ModelImporterContract {
  @Override
  protected ModelImporter importer() {
    return new HuggingFaceImporter();
  }

  @Override
  protected Path writeSample(Path folder) throws IOException {
    return Files.writeString(folder.resolve("tiny.json"), Configs.llama(""));
  }
}
