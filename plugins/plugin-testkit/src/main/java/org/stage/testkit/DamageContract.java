package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Plugin;

/**
 * What every plugin promises of a damaged file: a message that names it, never another exception.
 */
abstract class DamageContract<P extends Plugin> extends ReadingContract<P> {
  private static final int MUTANTS = 100;

  /**
   * Whether files of the format are known by their content, whatever they are called, so that of
   * one that is damaged at its beginning the message may name the folder only; by default false.
   */
  protected boolean knowsFilesByContent() {
    return false;
  }

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
    @Nullable Diagnostic refusal = refusal(file);

    assertThat(refusal).as("what is said of %s", what).isNotNull();
    assertThat(String.valueOf(refusal)).matches(said -> names(said, file), "names " + file);
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

    assertThat(noticed)
        .as("what is said of files that are cut short")
        .isNotEmpty()
        .allMatch(said -> names(said, file), "names " + file);
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

  private boolean names(String said, Path file) {
    return said.contains(String.valueOf(file.getFileName()))
        || (knowsFilesByContent() && said.startsWith(input(file) + ": "));
  }
}
