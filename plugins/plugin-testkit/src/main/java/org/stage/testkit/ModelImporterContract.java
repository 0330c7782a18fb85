package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.stage.api.plugin.ModelImporter;
import org.stage.api.plugin.ModelImporter.Imported;

/**
 * What every importer of models promises. A plugin's test extends this class, says which importer
 * it is about, and writes a small good description of a model; what the format itself demands, the
 * plugin tests besides.
 *
 * <pre>{@code
 * class MyImporterContractTest extends ModelImporterContract {
 *   protected ModelImporter importer() {
 *     return new MyImporter();
 *   }
 *
 *   protected Path writeSample(Path folder) throws IOException {
 *     return Files.writeString(folder.resolve("model.txt"), "layers 32\n");
 *   }
 * }
 * }</pre>
 */
public abstract class ModelImporterContract extends DamageContract<ModelImporter> {
  /** A new object of the importer under test. */
  protected abstract ModelImporter importer();

  @Override
  final ModelImporter plugin() {
    return importer();
  }

  @Override
  final Path input(Path file) {
    return file;
  }

  @Override
  final boolean accepts(ModelImporter importer, Path input) throws IOException {
    return importer.accepts(input);
  }

  @Override
  final Imported read(ModelImporter importer, Path input) throws IOException {
    return importer.read(input);
  }

  @Test
  void saysTheSampleInKeysOfAWorkloadFile() throws IOException {
    assertThat(importer().read(sample("good")).keys().values())
        .as("keys of the sample")
        .containsKeys("model.layers", "model.hidden");
  }

  @Test
  void saysEachNoteInOneLine() throws IOException {
    assertThat(importer().read(sample("good")).notes())
        .allSatisfy(note -> assertThat(note.message()).isNotBlank().doesNotContain("\n"));
  }
}
