package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;

class WrongConfigTest {
  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvFileSource(resources = "wrong.txt", delimiter = '|', maxCharsPerColumn = 20_000)
  void aWrongValueIsRefusedWithItsKey(String edits, String expected) throws IOException {
    refused(write(Configs.llama(edits)), ", " + expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | is empty",
        "'  \\n' | is empty",
        "null | holds null instead of an object with keys",
        "[] | holds a list instead",
        "3 | holds 3 instead",
        "\"llama\" | holds 'llama' instead",
        "{ | is not JSON: line 1",
        "{\"model_type\": \"llama\" | is not JSON: line 1",
        "{\"model_type\": llama} | is not JSON: line 1",
        "{'model_type': 1} | is not JSON: line 1",
        "{} {} | is not JSON: line 1",
        "{\"a\": 1,\\n \"a\": 2} | is not JSON: line 2: Duplicate",
        "{\"a\": 1,} | is not JSON",
        "<!DOCTYPE html><html>404</html> | is a web page, not JSON",
        "'\\n <Error><Code>AccessDenied</Code></Error>' | is a web page, not JSON",
        "version https://git-lfs.github.com/spec/v1\\noid sha256:1\\nsize 2 | is a Git LFS pointer",
        "model_type: llama | is not JSON: line 1",
      })
  void whatIsNoConfigurationIsRefusedByName(String text, String expected) throws IOException {
    refused(write(text.replace("\\n", "\n")), ": " + expected);
  }

  @Test
  void depthAndLengthHaveLimits() throws IOException {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    refused(write(Configs.llama("x=" + deep)), ": is no configuration: ");
    refused(write(Configs.llama("vocab_size=" + "9".repeat(5_000))), ": is no configuration: ");
    refused(write(Configs.llama("vocab_size=" + "9".repeat(900))), "vocab_size: 9999");
  }

  @Test
  void whatIsNotAReadableFileIsRefused() throws IOException {
    refused(folder.resolve("none.json"), ": there is no such file");
    refused(folder, ": is a folder without config.json");
    refused(Path.of("/dev/null"), ": is not a regular file");
    byte[] wide = Configs.llama("").getBytes(StandardCharsets.UTF_16);
    refused(Files.write(folder.resolve("wide.json"), wide), ": is not UTF-8 text");
    byte[] latin = Configs.llama("x=\"\u00e9\"").getBytes(StandardCharsets.ISO_8859_1);
    refused(Files.write(folder.resolve("latin.json"), latin), ": is not UTF-8 text");
  }

  @Test
  void aGigabyteIsRefusedBySize() throws IOException {
    Path file = folder.resolve("config.json");
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(1L << 30);
    }
    refused(file, ": is larger than 10 MB");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("w.json"), text);
  }

  private void refused(Path file, String expected) {
    assertThatThrownBy(() -> importer.read(file))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(expected)
        .message()
        .doesNotContain("\n")
        .hasSizeLessThan(1_000);
  }
}
