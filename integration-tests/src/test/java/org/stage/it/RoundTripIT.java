package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of many kinds, simulated, written as profiles, and read back without hardware. */
class RoundTripIT {
  @TempDir Path temp;

  /**
   * Tensors, pipeline and data in parallel; rings, eight bits and recomputation; experts and a
   * schedule with split backward passes.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        model: {family: gpt, layers: 4, hidden: 512, heads: 8, ffn: 2048, vocab: 1024}
        mesh: {tp: 2, pp: 2, dp: 2}
        training: {global_batch: 8, seq: 512}
        """,
        """
        model: {family: llama, layers: 1, hidden: 256, heads: 8, ffn: 1024, vocab: 4096}
        mesh: {tp: 2, cp: 2}
        training: {global_batch: 4, micro_batch: 2, seq: 1024, recompute: selective, precision: fp8}
        """,
        """
        model: {family: gpt, layers: 4, hidden: 1024, heads: 8, ffn: 2048, vocab: 1024}
        mesh: {pp: 2, cp: 2}
        training: {global_batch: 4, micro_batch: 1, seq: 256, schedule: zero-bubble}
        """,
        """
        model: {family: llama, layers: 2, hidden: 512, heads: 8, ffn: 1024, vocab: 1024, experts: 8,
          experts_per_token: 2, expert_ffn: 512}
        mesh: {pp: 2, ep: 2}
        training: {global_batch: 8, micro_batch: 1, seq: 512, zero: 1}
        """
      })
  void anyJobGetsItsStepTimeBackFromItsProfiles(String job) throws Exception {
    Files.writeString(temp.resolve("job.yaml"), job);
    Files.writeString(
        temp.resolve("known.yaml"),
        job + "hardware: h100\nexports: [{to: timeline, every-rank: true, kineto: true}]\n");
    run("synth", "known.yaml", "--out", "measured");
    List<String> again = new ArrayList<>(List.of("synth", "job.yaml", "--out", "again"));
    again.addAll(List.of("--to", "timeline", "--profile"));
    try (Stream<Path> files = Files.list(temp.resolve("measured/timeline"))) {
      files
          .map(Path::toString)
          .filter(f -> f.endsWith(".kineto.json"))
          .sorted()
          .forEach(again::add);
    }
    Stage.Outcome outcome = run(again.toArray(String[]::new));

    double step = read("measured/timeline/timeline.summary.json").path("step_us").asDouble();
    assertThat(read("again/timeline/timeline.summary.json").path("step_us").asDouble())
        .isCloseTo(step, within(1e-3 * step));
    JsonNode coverage = read("again/calibration.json").path("coverage");
    assertThat(coverage.path("exact").asDouble()).isGreaterThan(0.999);
    assertThat(coverage.path("communication").asDouble()).isEqualTo(1);
    // nothing is left that a device or a network would have to tell
    assertThat(outcome.err()).contains("a step takes").doesNotContain("no peak", "assumes");
  }

  private Stage.Outcome run(String... args) throws Exception {
    Stage.Outcome outcome = Stage.run(temp, args);
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    return outcome;
  }

  private JsonNode read(String file) throws Exception {
    return new ObjectMapper().readTree(temp.resolve(file).toFile());
  }
}
