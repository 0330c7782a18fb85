package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles of real devices, where there are some beside this checkout. */
class RealProfileIT {
  /** Qwen1.5-0.5B as the public profile ran it: 16 sequences of 559 tokens. */
  private static final String QWEN =
      """
      model: {family: llama, layers: 7, hidden: 1024, heads: 16, ffn: 2816, vocab: 151936}
      training: {global_batch: 16, micro_batch: 16, seq: 559}
      hardware: h100
      """;

  @TempDir Path temp;

  @Test
  void aRealPrefillGivesItsProductsToTheSameModel() throws Exception {
    Path profile = data().resolve("cuda_h100_qwen1.5_0.5b_prefill_7layers.json.gz");
    Files.writeString(temp.resolve("job.yaml"), QWEN);
    Stage.Outcome synth =
        Stage.run(temp, "synth", "job.yaml", "--to", "timeline", "--profile", profile.toString());
    assertThat(synth.exit()).as(synth.err()).isZero();

    // the mean of the facts; equal shapes are within 3 % of one another in this file
    JsonNode facts = facts().path(profile.getFileName().toString());
    for (String node : List.of("up", "gate")) {
      double mean = mean(facts, "aten::mm b=1 m=8944 n=2816 k=1024 BFloat16");
      assertThat(duration("mb0.layers.3.mlp." + node)).isCloseTo(mean, within(0.03 * mean));
    }
    double down = mean(facts, "aten::mm b=1 m=8944 n=1024 k=2816 BFloat16");
    assertThat(duration("mb0.layers.6.mlp.down")).isCloseTo(down, within(0.03 * down));
    assertThat(synth.out()).contains("attention", "Measured and not used");
  }

  /** Eager kernels: a norm is six of them, a rotation five. */
  @Test
  void aRealPrefillTellsHowLongTheForwardPassOfTheSameModelTakes() throws Exception {
    Path profile = data().resolve("cuda_h100_qwen1.5_0.5b_prefill_7layers.json.gz");
    String same = QWEN.replace("151936}", "151936, qkv_bias: true, tied: true}");
    Files.writeString(temp.resolve("job.yaml"), same);
    Stage.Outcome synth =
        Stage.run(temp, "synth", "job.yaml", "--to", "timeline", "--profile", profile.toString());
    assertThat(synth.exit()).as(synth.err()).isZero();

    JsonNode used = read(temp.resolve("out/calibration.json")).path("used");
    double all = used.path("measured_us").asDouble();
    double known = 0;
    for (String way : List.of("by_name_us", "by_module_us", "by_place_us")) {
      known += used.path(way).asDouble();
    }
    assertThat(known).isGreaterThanOrEqualTo(0.85 * all);
    assertThat(used.path("residual_share_us").asDouble()).isLessThanOrEqualTo(0.1 * all);
    assertThat(synth.out()).contains("residual share");

    // 307 kernels take 9,270.5 us; the profile's head is of the last tokens only
    double forward = 0;
    for (JsonNode event : read(temp.resolve("out/timeline/timeline.json")).path("traceEvents")) {
      boolean counts =
          event.path("cat").asText().equals("forward")
              && !event.path("name").asText().startsWith("mb0.head.");
      forward += counts ? event.path("dur").asDouble() : 0;
    }
    assertThat(forward).isCloseTo(9270.5, within(0.15 * 9270.5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amd_mi210_gpu_only.json.gz",
        "amd_mi250_minitoy_train.json.gz",
        "cpu_only_gloo_rank34.json",
        "cuda_a100_resnet_ddp_ncclmeta_step5.json.gz",
        "cuda_h100_bert_small_infer.json.gz",
        "cuda_old_pt1.8.1_resnet50_step_trim.json.gz",
        "malformed/m04_unescaped_quotes_in_name.json"
      })
  void eachRealProfileIsShownAndCanBeUsed(String name) throws Exception {
    Path profile = data().resolve(name);
    Files.writeString(temp.resolve("job.yaml"), QWEN);
    Stage.Outcome shown = Stage.run(temp, "profile", profile.toString(), "--json");
    assertThat(shown.exit()).as(shown.err()).isZero();
    JsonNode kernels = new ObjectMapper().readTree(shown.out()).at("/files/0/kernels");
    JsonNode facts = facts().path(name);
    if (!facts.isMissingNode()) {
      long timed = facts.at("/kernels/count").asLong() - facts.at("/kernels/zero_dur").asLong();
      assertThat(kernels.path("count").asLong()).isEqualTo(timed);
    }

    Stage.Outcome synth =
        Stage.run(temp, "synth", "job.yaml", "--to", "timeline", "--profile", profile.toString());
    assertThat(synth.exit()).as(synth.err()).isZero();
    assertThat(synth.out()).contains("Measured: ");
  }

  @Test
  void eightRealRanksWithTheirExecutionTracesAreOneRun() throws Exception {
    Path folder = data().resolve("cuda_v100_dlrm_8rank");
    List<String> args = new ArrayList<>(List.of("profile", "--json"));
    for (int rank = 0; rank < 8; rank++) {
      args.add(folder.resolve("et_rank" + rank + "_schema1.0.1.json.gz").toString());
      args.add(folder.resolve("rank" + rank + ".pt.trace.json.gz").toString());
    }
    Stage.Outcome shown = Stage.run(temp, args.toArray(String[]::new));
    assertThat(shown.exit()).as(shown.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(shown.out());
    assertThat(json.path("files")).hasSize(8);
    JsonNode known = read(data().resolve("facts_multirank.json"));
    double least = 0;
    for (JsonNode each : json.path("collectives_across_ranks")) {
      least += each.path("min_over_ranks_us").asDouble();
    }
    assertThat(least).isEqualTo(known.path("sum_min_us").asDouble());

    args.addAll(List.of("--set", "kineto.clip-overlaps=true"));
    Stage.Outcome refused = Stage.run(temp, args.toArray(String[]::new));
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("is read together with another file of its process, without options")
        .contains("Leave out clip-overlaps");
  }

  /** Microseconds of the products of this shape, in the mean, as counted independently. */
  private static double mean(JsonNode facts, String shape) {
    JsonNode of = facts.path("gemm_ops").path("by_shape").path(shape);
    return Double.parseDouble(of.path("kernel_us").asText()) / of.path("ops").asLong();
  }

  private double duration(String node) throws Exception {
    for (JsonNode event : read(temp.resolve("out/timeline/timeline.json")).path("traceEvents")) {
      if (event.path("name").asText().equals(node)) {
        return event.path("dur").asDouble();
      }
    }
    throw new AssertionError("no " + node);
  }

  private static JsonNode facts() throws Exception {
    return read(data().resolve("facts.json"));
  }

  private static JsonNode read(Path file) throws Exception {
    return new ObjectMapper().readTree(file.toFile());
  }

  private static Path data() {
    Path found = Path.of(System.getProperty("stage.shared", "/nowhere"), "data", "kineto");
    for (Path at = Path.of("").toAbsolutePath();
        at != null && !Files.isDirectory(found);
        at = at.getParent()) {
      found = at.resolve("shared/data/kineto");
    }
    assumeTrue(Files.isDirectory(found), "no real profiles beside this checkout");
    return found;
  }
}
