package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Job;

/** Whatever is typed, the answer is a complete workload or a message: never anything else. */
class MutationTest {
  private static final int ROUNDS = 500;

  private static final List<String> PIECES =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "2",
          "3",
          "7",
          "8",
          "64",
          "16777216",
          "2147483647",
          "99999999999999999999",
          "1e9",
          "1e999",
          ".nan",
          ".inf",
          "0x10",
          "010",
          "1_000",
          "true",
          "yes",
          "null",
          "~",
          "none",
          "[]",
          "{}",
          "[1, 2]",
          "{a: 1}",
          "''",
          "\"8\"",
          "'\\x'",
          "\"\\u0000\"",
          "&a 1",
          "*a",
          "!!int 3",
          "<<",
          "? a",
          "- a",
          "---",
          "...",
          "%YAML 1.2",
          "@",
          "`",
          "|",
          ">",
          "#",
          ": ",
          ",",
          "}",
          "]",
          "\t",
          "\r",
          "\n",
          "\u0000",
          "\uFEFF",
          "\uD83D\uDE80",
          "llama-3.1-8b",
          "palm-540b",
          "mesh",
          "tp: 4",
          "2023-01-01",
          "12:30:45",
          "gpt",
          "precision",
          "as tp",
          "[tp, pp, dp]");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aMutatedFileIsReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    List<String> originals = originals();
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String text = originals.get(random.nextInt(originals.size()));
      for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
        text = mutated(text, random);
      }
      read += isRead(text, random.nextInt(8) == 0 ? ".json" : ".yaml") ? 1 : 0;
    }
    assertThat(read).as("mutants that are still workloads").isBetween(1, ROUNDS - 1);
  }

  private boolean isRead(String text, String suffix) throws IOException {
    Path file = folder.resolve("mutant" + suffix);
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    try {
      Job spec = WorkloadReader.read(file, List.of()).job();
      assertThat(spec.strategy().pipeline().layersPerStage()).hasSize(spec.mesh().degree("pp"));
      return true;
    } catch (InputException e) {
      assertThat(e.getMessage()).isNotBlank();
      assertThat(e.getMessage().length()).isLessThan(20_000);
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("for the file\n" + text, e);
    }
  }

  private static String mutated(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (lines.isEmpty()) {
      return PIECES.get(random.nextInt(PIECES.size()));
    }
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    String piece = PIECES.get(random.nextInt(PIECES.size()));
    switch (random.nextInt(7)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, line);
      case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
      case 3 -> {
        int cut = random.nextInt(line.length() + 1);
        lines.set(at, line.substring(0, cut) + piece + line.substring(cut));
      }
      case 4 -> lines.set(at, line.replaceFirst(": [^#,}]*", ": " + piece.replace("\\", "")));
      case 5 -> lines.set(at, line.substring(random.nextInt(line.length() + 1)));
      default -> {
        String other = lines.get(random.nextInt(lines.size()));
        lines.set(at, line.replaceFirst("[0-9]+", other.replaceAll("[^0-9]", "")));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> originals() throws IOException {
    List<String> originals = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(ExamplesTest.EXAMPLES, "*.yaml")) {
      for (Path file : files) {
        originals.add(Files.readString(file));
      }
    }
    Collections.sort(originals);
    WrongFile.all().forEach(wrong -> originals.add(wrong.text()));
    return originals;
  }
}
