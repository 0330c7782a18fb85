package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged traces as a user meets them, within a small heap: a clear line, and no output. */
class BadTracesIT {
  private static final Map<String, String> SMALL_HEAP = Map.of("JAVA_TOOL_OPTIONS", "-Xmx64m");

  @TempDir Path temp;

  /** Metadata of version 0.0.4, and a node 1 that computes. */
  private static final byte[] GOOD = {
    7, 10, 5, '0', '.', '0', '.', '4', //
    31, 8, 1, 18, 1, 'a', 24, 4, //
    82, 11, 10, 7, 'n', 'u', 'm', '_', 'o', 'p', 's', 56, 9, //
    82, 9, 10, 5, 'b', 'y', 't', 'e', 's', 56, 9
  };

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectory(temp.resolve("traces"));
  }

  static Stream<Arguments> damages() throws IOException {
    return Stream.of(
        Arguments.of("an empty file", new byte[0], "is empty"),
        Arguments.of("a file cut short", Arrays.copyOf(GOOD, GOOD.length - 3), "cut short?"),
        Arguments.of("a length of 2 GB", joined(GOOD, 255, 255, 255, 255, 7), "over the limit"),
        Arguments.of("a length without end", joined(GOOD, 255, 255, 255, 255, 255), "5 bytes"),
        Arguments.of("a node of another kind", joined(GOOD, 2, 0x0B, 0x0B), "expected a node"),
        Arguments.of(
            "a node that waits for itself",
            joined(GOOD, 6, 8, 2, 24, 4, 40, 2),
            "depends on itself|waits for itself"),
        Arguments.of("an id twice", joined(GOOD, 4, 8, 1, 24, 4), "is there twice|comes twice|id"),
        Arguments.of("a text", "no trace at all, but a text\n".getBytes(UTF_8), ""),
        Arguments.of("a gzip bomb", packed(300 << 20), "times its size|no bytes"));
  }

  private static byte[] joined(byte[] start, int... more) {
    byte[] all = Arrays.copyOf(start, start.length + more.length);
    for (int i = 0; i < more.length; i++) {
      all[start.length + i] = (byte) more[i];
    }
    return all;
  }

  /** One node with a name of that many zeros. */
  private static byte[] packed(int zeros) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(GOOD);
      byte[] chunk = new byte[1 << 20];
      for (int done = 0; done < zeros; done += chunk.length) {
        out.write(chunk);
      }
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void aDamagedFileIsRefusedWithItsReason(String what, byte[] bytes, String reason)
      throws Exception {
    Files.write(temp.resolve("traces/w.0.et"), bytes);
    assertRefused(convert(), reason);
    Command validate = stage("validate", "traces", "--from", "chakra");
    assertThat(validate.exit()).as(validate.err()).isIn(1, 2);
    assertThat(said(validate)).containsPattern("error: .*w\\.0\\.et").doesNotContain("\tat ");
  }

  @Test
  void aMissingRankIsNamed() throws Exception {
    Files.write(temp.resolve("traces/w.0.et"), GOOD);
    Files.write(temp.resolve("traces/w.2.et"), GOOD);
    assertRefused(convert(), "rank 1 has no file, but rank 2 has");
  }

  @Test
  void aFolderWithoutTracesIsNamed() throws Exception {
    assertRefused(convert(), "traces");
    assertThat(stage("convert", "nowhere", "--to", "chakra").exit()).isEqualTo(2);
    assertThat(stage("validate", "nowhere").exit()).isEqualTo(2);
  }

  @Test
  void whatIsReadIsNotReplaced() throws Exception {
    Files.createDirectories(temp.resolve("out/chakra"));
    Files.write(temp.resolve("out/chakra/w.0.et"), GOOD);
    Command command = stage("convert", "out/chakra", "--to", "chakra", "--out", "out", "--force");
    assertThat(command.exit()).isEqualTo(2);
    assertThat(said(command)).contains("holds the traces that are to be read");
    assertThat(temp.resolve("out/chakra/w.0.et")).hasBinaryContent(GOOD);
  }

  private Command convert() throws Exception {
    return stage("convert", "traces", "--from", "chakra", "--to", "chakra", "--out", "out");
  }

  private Command stage(String... args) throws Exception {
    return Command.stage(temp, SMALL_HEAP, args);
  }

  private void assertRefused(Command command, String reason) {
    assertThat(command.exit()).as(command.err()).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(said(command).lines().toList())
        .singleElement()
        .asString()
        .startsWith("error: ")
        .containsPattern(reason);
    assertThat(temp.resolve("out")).doesNotExist();
  }

  /** Without the line in which the JVM says that it saw its options. */
  private static String said(Command command) {
    return command.out() + command.err().replaceAll("Picked up JAVA_TOOL_OPTIONS.*\\R", "");
  }
}
