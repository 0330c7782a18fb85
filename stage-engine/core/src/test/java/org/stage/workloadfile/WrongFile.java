package org.stage.workloadfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A wrong workload file of the corpus {@code wrong.txt}.
 *
 * @param kind {@code syntax}, {@code key} for what a key says alone, {@code whole} for what several
 *     say
 * @param name what is wrong
 * @param text the file
 * @param expected what the message must hold
 */
record WrongFile(String kind, String name, String text, List<String> expected) {
  private static final String TRAINING = "training: {global_batch: 8, seq: 128}";

  /** The corpus. */
  static List<WrongFile> all() {
    try (InputStream in = WrongFile.class.getResourceAsStream("wrong.txt")) {
      String corpus = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(corpus.split("(?m)^=== ")).skip(1).map(WrongFile::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static WrongFile parse(String block) {
    List<String> lines = block.lines().toList();
    int colon = lines.get(0).indexOf(": ");
    StringBuilder text = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith("--- ")) {
        expected.add(line.substring(4));
      } else {
        text.append(line.equals("$T") ? TRAINING : line).append('\n');
      }
    }
    return new WrongFile(
        lines.get(0).substring(0, colon),
        lines.get(0).substring(colon + 2),
        text.toString(),
        expected);
  }

  boolean syntactic() {
    return kind.equals("syntax");
  }

  boolean byOneKey() {
    return kind.equals("key");
  }

  @Override
  public String toString() {
    return name;
  }
}
