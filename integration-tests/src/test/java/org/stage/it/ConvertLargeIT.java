package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of a conversion is that of the largest rank, however large the set is. */
@Tag("long")
class ConvertLargeIT {
  private static final Map<String, String> SMALL_HEAP =
      Map.of("JAVA_TOOL_OPTIONS", "-Xmx256m", "STAGE_ARCHIVE", "off");

  @TempDir Path temp;

  @Test
  void aGigabyteOfTracesIsConvertedWithin256Megabytes() throws Exception {
    // 80 ranks of 126,325 nodes, 13 MB each
    String example = Stage.EXAMPLES.resolve("llama-3.1-70b.yaml").toString();
    Command synth =
        stage("synth", example, "--set", "mesh.dp=20", "--set", "training.global_batch=640");
    assertThat(synth.exit()).as(synth.err()).isZero();
    Path traces = temp.resolve("out/chakra");
    assertThat(size(traces)).isGreaterThan(1_000_000_000L);

    Command convert = stage("convert", "out/chakra", "--to", "chakra", "--out", "again");

    assertThat(convert.exit()).as(convert.err()).isZero();
    for (int rank = 0; rank < 80; rank++) {
      String file = "workload." + rank + ".et";
      assertThat(Files.mismatch(traces.resolve(file), temp.resolve("again/chakra").resolve(file)))
          .as(file)
          .isEqualTo(-1);
    }
  }

  private Command stage(String... args) throws IOException, InterruptedException {
    return Command.stage(temp, SMALL_HEAP, args);
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
