package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;

/** Whatever the bytes, the answer is a profile or a message, and it comes soon. */
class MutantsTest {
  private static final int ROUNDS = 300;
  private static final List<String> PIECES =
      List.of(
          "\"",
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\n",
          "{\"ph\": \"X\"",
          "\"args\": {",
          "[[[[[[[",
          "-",
          "1e999",
          "99999999999999999999",
          "nan",
          "null",
          "\u0000",
          "\u001f\u008b",
          "\uFEFF",
          "\"traceEvents\": [",
          "]}",
          "\"ts\": 0",
          "\"dur\": -1",
          "\"correlation\": 1",
          "kernel",
          "\"Input Dims\": [[9223372036854775807, 2], [[1], [2, [3]]]]",
          "\"Group size\": 99999999999",
          "\"pg_config\": [{\"ranks\": \"[0, 1\"}]");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutantsAreReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = original(random);
      for (int edits = 1 + random.nextInt(6); edits > 0; edits--) {
        bytes = mutated(bytes, random);
      }
      if (random.nextInt(10) == 0) {
        bytes = mutated(DamageTest.gzip(bytes), random);
      }
      read += isRead(bytes) ? 1 : 0;
    }
    assertThat(read).isBetween(ROUNDS / 4, ROUNDS - 1);
  }

  private static byte[] original(Random random) {
    Events.Layout[] layouts = Events.Layout.values();
    String text =
        Events.document(layouts[random.nextInt(layouts.length)], Events.products().subList(0, 15));
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private boolean isRead(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("mutant.json"), bytes);
    try {
      Imports.read(file);
      new KinetoImporter().accepts(file);
      return true;
    } catch (InputException e) {
      assertThat(e.getMessage()).startsWith(file.toString()).hasSizeLessThan(1_000);
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("for " + new String(bytes, StandardCharsets.UTF_8), e);
    }
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, at + random.nextInt(40));
    return switch (random.nextInt(5)) {
      case 0 -> join(Arrays.copyOf(bytes, at), piece(random), bytes, at);
      case 1 -> join(Arrays.copyOf(bytes, at), new byte[0], bytes, to);
      case 2 -> join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at, to), bytes, at);
      case 3 -> Arrays.copyOf(bytes, Math.max(1, bytes.length - random.nextInt(50)));
      default -> {
        byte[] copy = bytes.clone();
        copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        yield copy;
      }
    };
  }

  private static byte[] piece(Random random) {
    return PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] join(byte[] head, byte[] middle, byte[] tail, int from) {
    byte[] all = Arrays.copyOf(head, head.length + middle.length + tail.length - from);
    System.arraycopy(middle, 0, all, head.length, middle.length);
    System.arraycopy(tail, from, all, head.length + middle.length, tail.length - from);
    return all;
  }
}
