package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ProfileImporter;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.plugin.RunContext;

/**
 * What every importer of profiles promises. A plugin's test extends this class, says which importer
 * it is about, and writes a small good profile; what the format itself demands, the plugin tests
 * besides.
 *
 * <pre>{@code
 * class MyImporterContractTest extends ProfileImporterContract {
 *   protected ProfileImporter importer() {
 *     return new MyImporter();
 *   }
 *
 *   protected Path writeSample(Path folder) throws IOException {
 *     return Files.writeString(folder.resolve("profile.txt"), "gemm 1200\n");
 *   }
 * }
 * }</pre>
 */
public abstract class ProfileImporterContract extends ImportRunContract<ProfileImporter> {
  /** A new object of the importer under test. */
  protected abstract ProfileImporter importer();

  @Override
  final ProfileImporter plugin() {
    return importer();
  }

  @Override
  final Path input(Path file) {
    return file;
  }

  @Override
  final boolean accepts(ProfileImporter importer, Path input) throws IOException {
    return importer.accepts(input);
  }

  @Override
  final Imported read(ProfileImporter importer, Path input, RunContext context) throws IOException {
    return importer.read(input, context);
  }

  /** A profile that is cut short may also be read up to there, and says so. */
  @Override
  final @Nullable Diagnostic cutShort(Path file) throws IOException {
    try {
      Imported imported = imported(file);
      return imported.notes().stream()
          .filter(note -> imported.profile().coverage().contents().truncated())
          .filter(note -> note.severity() == Severity.WARNING)
          .findFirst()
          .orElse(null);
    } catch (InputException e) {
      return e.diagnostic();
    }
  }

  private Imported imported(Path file) throws IOException {
    ProfileImporter importer = importer();
    return importer.read(file, TestImport.context(importer, Map.of()));
  }

  @Test
  void findsOperatorsInTheSample() throws IOException {
    Imported imported = imported(sample("good"));

    assertThat(imported.profile().operators()).as("operators of the sample").isNotEmpty();
    assertThat(imported.profile().coverage().contents().truncated()).as("truncated").isFalse();
  }

  @Test
  void namesTheFileAsTheSourceOfTheProfile() throws IOException {
    Path file = sample("good");

    assertThat(imported(file).profile().source()).contains(String.valueOf(file.getFileName()));
  }

  @Test
  void hasNoCompanionsWhereThereAreNoOtherFiles() throws IOException {
    assertThat(importer().companions(sample("good"), List.of())).isEmpty();
  }
}
