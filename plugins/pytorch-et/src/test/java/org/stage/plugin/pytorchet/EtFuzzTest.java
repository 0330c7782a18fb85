package org.stage.plugin.pytorchet;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.InputException;

/**
 * Whatever the bytes of an execution trace, alone or beside a profile of its process, the answer is
 * a profile or a message that names a file. In a plain build this reads the inputs that are known;
 * the profile {@code long} looks for others.
 */
class EtFuzzTest {
  private static Path folder = Path.of("");
  private static Path profile = Path.of("");

  @BeforeAll
  static void open() throws IOException {
    folder = Files.createTempDirectory("et-fuzz");
    profile = Files.writeString(folder.resolve("profile.json"), EtImporterTest.PROFILE);
  }

  @AfterAll
  static void close() throws IOException {
    Files.deleteIfExists(folder.resolve("et.json"));
    Files.deleteIfExists(profile);
    Files.deleteIfExists(folder);
  }

  static Stream<byte[]> seeds() {
    return Stream.of(EtImporterTest.FLAT, EtImporterTest.NESTED, EtImporterTest.COMMUNICATION)
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @DictionaryEntries({
    "\"nodes\": [",
    "\"attrs\": [{\"name\": \"",
    "\"inputs\": {\"values\": [",
    "\"input_types\": [\"Tensor(float)\"]",
    "GenericList[Tensor(float)]",
    "\"ctrl_deps\": ",
    "\"parent\": ",
    "\"rf_id\": ",
    "record_param_comms",
    "aten::bmm",
    "\"pid\": 4711",
    "999999999999999999",
    "ProfilerStep#1"
  })
  @FuzzTest(maxDuration = "5m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    if (bytes == null) {
      return;
    }
    Path file = Files.write(folder.resolve("et.json"), bytes);
    PyTorchEtImporter importer = new PyTorchEtImporter();
    importer.accepts(file);
    try {
      Imports.read(file, profile);
      Imports.read(file);
    } catch (InputException e) {
      if (!e.getMessage().startsWith(folder.toString()) || e.getMessage().length() > 1_000) {
        throw new AssertionError("a message that does not help: " + e.getMessage(), e);
      }
    }
  }
}
