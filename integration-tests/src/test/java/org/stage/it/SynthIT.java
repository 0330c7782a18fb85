package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SynthIT {
  @TempDir Path temp;

  @Test
  void theFirstExampleBecomesTracesOf32RanksThatAreFreeOfFaults() throws Exception {
    String example = Stage.EXAMPLES.resolve("llama-3.1-8b.yaml").toString();
    Stage.Outcome synth = Stage.run(temp, "synth", example, "--out", "out");
    assertThat(synth.exit()).as(synth.err()).isZero();
    assertThat(synth.out()).contains("ranks", "32").contains("peak memory per rank");
    for (int rank = 0; rank < 32; rank++) {
      assertThat(temp.resolve("out/chakra/workload." + rank + ".et")).isNotEmptyFile();
    }
    Stage.Outcome validate = Stage.run(temp, "validate", "out/chakra");
    assertThat(validate.exit()).as(validate.out() + validate.err()).isZero();
    assertThat(validate.out()).contains("no faults");
    independentCheckAccepts(temp.resolve("out"));
  }

  static Stream<List<String>> grid() {
    return Stream.of(
        List.of("mesh.tp=2", "mesh.dp=2", "mesh.pp=2"),
        List.of("mesh.tp=1", "mesh.dp=2", "mesh.pp=4", "training.schedule=gpipe"),
        List.of("mesh.tp=4", "mesh.dp=1", "mesh.pp=2", "training.sequence_parallel=false"),
        List.of("mesh.tp=8", "mesh.dp=1", "mesh.pp=1", "model.tied=true"),
        List.of("mesh.tp=2", "mesh.dp=1", "mesh.pp=4", "model.tied=true"),
        List.of("mesh.tp=2", "mesh.dp=2", "mesh.pp=2", "training.zero=1", "training.bucket_mb=4"),
        List.of("mesh.tp=2", "mesh.dp=4", "mesh.pp=1", "training.zero=2"),
        List.of("mesh.tp=2", "mesh.dp=4", "mesh.pp=1", "training.zero=3"),
        List.of("mesh.tp=1", "mesh.dp=4", "mesh.pp=2", "training.zero=3", "training.zero_group=2"),
        List.of("mesh.tp=2", "mesh.dp=2", "mesh.pp=2", "training.recompute=full"),
        List.of("mesh.tp=2", "mesh.dp=2", "mesh.pp=2", "mesh.order=[dp, pp, tp]"),
        List.of("mesh.pp=2", "training.schedule=interleaved", "training.virtual_stages=2"),
        List.of("mesh.tp=1", "mesh.pp=4", "training.schedule=zero-bubble", "model.tied=true"),
        List.of("mesh.pp=2", "training.schedule=zero-bubble", "training.recompute=full"),
        List.of("mesh.pp=2", "training.schedule=dualpipe", "training.zero=1"),
        List.of(
            "mesh.tp=1",
            "mesh.pp=4",
            "training.schedule=dualpipe",
            "training.zero=3",
            "training.global_batch=16"));
  }

  @ParameterizedTest
  @MethodSource("grid")
  void tracesOfEachStrategyAreFreeOfFaults(List<String> settings) throws Exception {
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();
    Stream<String> sets = settings.stream().flatMap(setting -> Stream.of("--set", setting));
    Stage.Outcome synth =
        Stage.run(
            temp,
            Stream.concat(Stream.of("synth", example, "--out", "out"), sets)
                .toArray(String[]::new));
    assertThat(synth.exit()).as(synth.err()).isZero();
    Stage.Outcome validate = Stage.run(temp, "validate", "out/chakra");
    assertThat(validate.exit()).as(validate.out() + validate.err()).isZero();
    independentCheckAccepts(temp.resolve("out"));
  }

  @Test
  void aKilledRunLeavesNothingThatLooksCompleteAndTheNextOneSucceeds() throws Exception {
    String example = Stage.EXAMPLES.resolve("llama-3.1-8b.yaml").toString();
    String[] command = {"synth", example, "--out", "out", "--set", "mesh.dp=64"};
    Process process = Stage.start(temp, command);
    while (process.isAlive() && !isWriting(temp.resolve("out"))) {
      Thread.onSpinWait();
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
    assertThat(temp.resolve("out/chakra")).doesNotExist();

    Stage.Outcome next = Stage.run(temp, "synth", example, "--out", "out");
    assertThat(next.exit()).as(next.err()).isZero();
    try (Stream<Path> left = Files.list(temp.resolve("out"))) {
      assertThat(left.map(file -> file.getFileName().toString())).containsExactly("chakra");
    }
  }

  /** Before it holds its lock, a folder counts as newborn for a minute, and nobody removes it. */
  private static boolean isWriting(Path out) throws Exception {
    if (!Files.isDirectory(out)) {
      return false;
    }
    try (Stream<Path> folders = Files.list(out)) {
      return folders.anyMatch(folder -> Files.isDirectory(folder.resolve("files")));
    }
  }

  @Test
  void equalRunsWriteEqualBytes() throws Exception {
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();
    assertThat(Stage.run(temp, "synth", example, "--out", "a").exit()).isZero();
    assertThat(Stage.run(temp, "synth", example, "--out", "b").exit()).isZero();
    try (Stream<Path> files = Files.list(temp.resolve("a/chakra"))) {
      for (Path file : files.toList()) {
        Path other = temp.resolve("b/chakra").resolve(file.getFileName());
        assertThat(Files.mismatch(file, other)).as(file.toString()).isEqualTo(-1);
      }
    }
  }

  /**
   * Runs a checker that shares nothing with the product, where there is one beside the checkout.
   */
  private void independentCheckAccepts(Path out) throws Exception {
    Optional<Path> checker = checker();
    if (checker.isEmpty()) {
      return;
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3", checker.get().toString(), out.toString(), "--ordered", "--rendezvous");
    Path log = temp.resolve("check.txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assumeTrue(process.waitFor(120, TimeUnit.SECONDS));
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
  }

  private static Optional<Path> checker() throws Exception {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path candidate = folder.resolve("shared/tools/et_check.py");
      if (Files.isRegularFile(candidate)) {
        boolean python =
            new ProcessBuilder("sh", "-c", "command -v python3").start().waitFor() == 0;
        return python ? Optional.of(candidate) : Optional.empty();
      }
    }
    return Optional.empty();
  }
}
