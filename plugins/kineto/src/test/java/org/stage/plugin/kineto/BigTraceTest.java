package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profile of 2 GB in the memory that its kept events may take. */
@Tag("long")
class BigTraceTest {
  private static final long UNITS = 8_000_000 / BigTrace.EVENTS;

  @TempDir Path folder;

  @Test
  void isReadIn256MegabytesAnd60BytesAKeptEvent() throws IOException, InterruptedException {
    Path file = folder.resolve("big.json");
    BigTrace.write(file, UNITS);
    long heap = (256L << 20) + 60 * BigTrace.KEPT * UNITS;

    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + (heap >> 10) + "k",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ReadInLittleMemory.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    int exit = process.waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(exit).as(text).isZero();
    assertThat(text).contains("kernels=" + UNITS + " owned=" + UNITS);
    assertThat(Files.size(file)).isGreaterThan(2_000_000_000L);
  }
}
