package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.plugin.Plugin;

/**
 * What every plugin promises that reads files: to know its own, and the same result whatever
 * happens around it.
 */
abstract class ReadingContract<P extends Plugin> {
  @TempDir Path temp;

  /**
   * Writes a good sample of the format into an empty folder. Small: a few lines do. Damaged copies
   * of it are tried too, so it is written anew each time, with the same bytes.
   *
   * @return the file that is read; where the plugin reads folders, any file of the sample, directly
   *     in {@code folder}
   */
  protected abstract Path writeSample(Path folder) throws IOException;

  /** A new object of the plugin under test. */
  abstract P plugin();

  /** What of a sample the plugin is given: the file, or its folder. */
  abstract Path input(Path file);

  abstract boolean accepts(P plugin, Path input) throws IOException;

  /** What is read, to be compared. */
  abstract Object read(P plugin, Path input) throws IOException;

  final Path sample(String folder) throws IOException {
    return writeSample(Files.createDirectories(temp.resolve(folder)));
  }

  @Test
  void hasANameADescriptionAndHelpForEachOption() {
    Declarations.check(plugin());
  }

  @Test
  void declaresTheSameEachTime() {
    P plugin = plugin();

    assertThat(plugin.capabilities()).isEqualTo(plugin.capabilities());
    assertThat(plugin.options()).isEqualTo(plugin.options());
  }

  @Test
  void acceptsTheSample() throws IOException {
    assertThat(accepts(plugin(), input(sample("good")))).as("accepts(the sample)").isTrue();
  }

  @Test
  void doesNotAcceptWhatIsOfAnotherFormat() throws IOException {
    String name = String.valueOf(sample("good").getFileName());
    String extension = name.substring(Math.max(0, name.indexOf('.')));
    boolean folders = !input(Path.of("folder", "file")).endsWith("file");
    for (byte[] bytes : List.of(new byte[0], "only a note\n".getBytes(UTF_8), noise(1, 999))) {
      Path folder = Files.createDirectories(temp.resolve("foreign" + bytes.length));
      Path file = Files.write(folder.resolve(folders ? "notes.txt" : "notes" + extension), bytes);
      assertThat(accepts(plugin(), input(file)))
          .as("accepts(%s) of %d bytes, which is of another format", file, bytes.length)
          .isFalse();
    }
  }

  @Test
  void readsTheSampleAgainWithTheSameResult() throws IOException {
    P same = plugin();
    Path input = input(sample("good"));
    Object first = read(same, input);

    assertThat(read(same, input)).as("by the same object").isEqualTo(first);
    assertThat(read(plugin(), input)).as("by another object").isEqualTo(first);
  }

  @Test
  void doesNotDependOnLocaleOrTimeZone() throws IOException {
    Path input = input(sample("good"));
    Object here = read(plugin(), input);

    ForeignLocale.each(tag -> assertThat(read(plugin(), input)).as(tag).isEqualTo(here));
  }

  @Test
  void writesNothingWhereItReads() throws IOException {
    Path file = sample("good");
    Map<String, String> before = FileTree.of(temp);
    List<String> working = ExportTrials.names(Path.of(""));

    accepts(plugin(), input(file));
    read(plugin(), input(file));

    assertThat(FileTree.of(temp)).isEqualTo(before);
    assertThat(ExportTrials.names(Path.of(""))).as("the working directory").isEqualTo(working);
  }

  /** Bytes of no format, the same each time. */
  static byte[] noise(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
