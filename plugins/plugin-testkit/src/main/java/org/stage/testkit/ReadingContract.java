package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Plugin;

/**
 * What every plugin promises that reads files: the same result whatever happens around it, and of a
 * damaged file a message, never another exception.
 */
abstract class ReadingContract<P extends Plugin> {
  private static final int MUTANTS = 100;

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

  /** Why the plugin does not read a file; null if it does. */
  @Nullable Diagnostic refusal(Path file) throws IOException {
    try {
      read(plugin(), input(file));
      return null;
    } catch (InputException e) {
      return e.diagnostic();
    }
  }

  /** What the plugin says of a file that is cut short; null if it does not notice. */
  @Nullable Diagnostic cutShort(Path file) throws IOException {
    return refusal(file);
  }

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

  @Test
  void refusesAnEmptyFileByName() throws IOException {
    assertRefused("an empty file", new byte[0]);
  }

  @Test
  void refusesRandomBytesByName() throws IOException {
    for (int seed = 0; seed < 5; seed++) {
      assertRefused("random bytes", noise(seed, 1 << (2 * seed + 2)));
    }
  }

  private void assertRefused(String what, byte[] bytes) throws IOException {
    Path file = Files.write(sample("refused"), bytes);

    assertThat(String.valueOf(refusal(file)))
        .as("what is said of %s, which is to name the file", what)
        .contains(String.valueOf(file.getFileName()));
  }

  /** A cut between two records may go unnoticed, where the format does not count them. */
  @Test
  void noticesThatAFileIsCutShort() throws IOException {
    Path file = sample("cut");
    byte[] whole = Files.readAllBytes(file);
    List<String> noticed = new ArrayList<>();
    for (int eighth = 1; eighth < 8; eighth++) {
      Files.write(file, Arrays.copyOf(whole, whole.length * eighth / 8));
      @Nullable Diagnostic said = cutShort(file);
      if (said != null) {
        noticed.add(said.toString());
      }
    }

    String name = String.valueOf(file.getFileName());
    assertThat(noticed)
        .as("what is said of files that are cut short, which is to name them")
        .isNotEmpty()
        .allMatch(said -> said.contains(name));
  }

  @Test
  void readsOrRefusesAFileWithSomeBytesDamaged() throws IOException {
    Path file = sample("mutant");
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int round = 0; round < MUTANTS; round++) {
      byte[] mutant = whole.clone();
      for (int edits = 0; edits < 3; edits++) {
        mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, mutant);
      try {
        refusal(file);
      } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
        throw new AssertionError("damaged file " + round + " is not refused but fails", e);
      }
    }
  }

  private static byte[] noise(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
