package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final StringWriter err = new StringWriter();
  private long millis;

  private ProgressLine line(boolean terminal) {
    PrintWriter out = new PrintWriter(new StringWriter());
    World world =
        new World(
            out,
            new PrintWriter(err),
            Map.of(),
            Optional.empty(),
            terminal,
            () -> millis * 1_000_000,
            new Interruption(new PrintWriter(Writer.nullWriter())));
    return new ProgressLine(new Stage(world), "chakra");
  }

  @Test
  void showsDoneRateAndTimeLeftAfterASecondAndClearsThem() {
    try (ProgressLine line = line(true)) {
      line.report(1, 32_768, "ranks");
      assertThat(err.toString()).isEmpty();
      millis = 2_000;
      line.report(1_200, 32_768, "ranks");
    }
    assertThat(err.toString())
        .isEqualTo("\r\u001b[Kchakra: 1,200 of 32,768 ranks, 600/s, 0:53 left\r\u001b[K");
  }

  @Test
  void showsNoMoreThanTheEyeCanRead() {
    try (ProgressLine line = line(true)) {
      for (millis = 1_000; millis < 2_000; millis++) {
        line.report(millis, 4_000, "ranks");
      }
    }
    assertThat(err.toString().split("chakra")).hasSize(6);
  }

  @Test
  void showsNothingWhereNobodyIsWatching() {
    try (ProgressLine line = line(false)) {
      millis = 5_000;
      line.report(1, 2, "ranks");
    }
    assertThat(err.toString()).isEmpty();
  }
}
