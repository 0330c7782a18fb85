package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Whole;

/** Whatever a file holds, the answer is a complete model or a message: never anything else. */
class MutationTest {
  private static final int ROUNDS = 400;

  private static final List<String> PIECES =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "3",
          "2147483648",
          "1e400",
          "-0.0",
          "NaN",
          "-Infinity",
          "true",
          "null",
          "\"\"",
          "\"32\"",
          "[]",
          "{}",
          "[[]]",
          "{\"a\": 1}",
          "\\",
          "\"",
          ",",
          ":",
          "{",
          "}",
          "[",
          "]",
          "\u0000",
          "\uFEFF",
          "\uD83D\uDE80",
          "\\ud800",
          "\n",
          "model_type",
          "num_experts",
          "head_dim",
          "gpt2",
          "gpt_bigcode",
          "llama",
          "cohere",
          "silu",
          "gelu");

  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aMutatedConfigurationIsReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    List<String> originals = Configs.various();
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String text = originals.get(random.nextInt(originals.size()));
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        text = mutated(text, random);
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (random.nextInt(20) == 0 && bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      read += isRead(bytes) ? 1 : 0;
    }
    assertThat(read).as("mutants that are still models").isBetween(ROUNDS / 50, ROUNDS - 1);
  }

  private boolean isRead(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("mutant.json"), bytes);
    try {
      importer.accepts(file);
      WorkloadKeys model = importer.read(file).keys();
      for (String key : List.of("layers", "hidden", "ffn", "vocab")) {
        assertThat(number(model, key)).as(key).isPositive();
      }
      assertThat(number(model, "heads") % number(model, "kv_heads")).isZero();
      assertThat(
              model.values().containsKey("model.head_dim")
                  || model.values().containsKey("model.kv_latent")
                  || number(model, "hidden") % number(model, "heads") == 0)
          .as("a head has a width")
          .isTrue();
      return true;
    } catch (InputException e) {
      assertThat(e.getMessage()).startsWith(file.toString()).hasSizeLessThan(2_000);
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("for " + new String(bytes, StandardCharsets.UTF_8), e);
    }
  }

  private static long number(WorkloadKeys model, String name) {
    return model.values().get("model." + name) instanceof Whole whole ? whole.number() : 0;
  }

  private static String mutated(String text, Random random) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(6));
    String piece = PIECES.get(random.nextInt(PIECES.size()));
    return switch (random.nextInt(4)) {
      case 0 -> text.substring(0, from) + piece + text.substring(from);
      case 1 -> text.substring(0, from) + text.substring(to);
      case 2 -> replacedValue(text, piece, random);
      default -> text.substring(0, from) + text.substring(from, to).repeat(2) + text.substring(to);
    };
  }

  /** A value for another, so that most mutants are still JSON. */
  private static String replacedValue(String text, String piece, Random random) {
    List<String> keys =
        text.lines().filter(line -> line.contains("\": ")).map(MutationTest::key).toList();
    if (keys.isEmpty()) {
      return text + piece;
    }
    String key = keys.get(random.nextInt(keys.size()));
    int at = text.indexOf(key) + key.length();
    int end = at;
    while (end < text.length() && ",}\n".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return text.substring(0, at) + piece + text.substring(end);
  }

  private static String key(String line) {
    int end = line.indexOf("\": ") + 3;
    return line.substring(
        line.lastIndexOf('"', end - 4) < 0 ? 0 : line.lastIndexOf('"', end - 4), end);
  }
}
