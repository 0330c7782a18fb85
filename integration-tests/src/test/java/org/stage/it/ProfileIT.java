package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles whose truth is known, since they were simulated, read back by the distribution. */
class ProfileIT {
  private static final String SMALL =
      """
      model: {preset: llama-3.1-8b, layers: 2}
      mesh: {tp: 4, dp: 2}
      training: {global_batch: 4, seq: 1024, sequence_parallel: true}
      """;
  private static final String EXPORTS =
      "exports: [{to: timeline, every-rank: true, kineto: true}]\n";

  @TempDir Path temp;

  @BeforeEach
  void writeTheJob() throws Exception {
    Files.writeString(temp.resolve("job.yaml"), SMALL);
    Files.writeString(temp.resolve("known.yaml"), SMALL + "hardware: h100\n" + EXPORTS);
  }

  @Test
  void aJobWithKnownTimesGetsItsStepTimeBackFromItsProfiles() throws Exception {
    Files.writeString(
        temp.resolve("known.yaml"),
        """
        inject:
          layers.*.attention.core: {duration_us: 123.4}
          layers.*.attention.core.grad: {duration_us: 345.6}
        """,
        StandardOpenOption.APPEND);
    synth("known.yaml", "measured");
    // neither hardware nor network nor times by hand: all that is known is measured
    synth("job.yaml", "again", "--to", "timeline", profiles("measured", 8));

    double step = summary("measured").path("step_us").asDouble();
    assertThat(summary("again").path("step_us").asDouble()).isCloseTo(step, within(1e-3 * step));
    JsonNode coverage = calibration("again").path("coverage");
    assertThat(coverage.path("exact").asDouble()).isGreaterThan(0.999);
    assertThat(coverage.path("communication").asDouble()).isEqualTo(1);
    assertThat(duration("again", "mb0.layers.1.attention.core")).isEqualTo(123.4);
    assertThat(duration("again", "mb0.layers.0.attention.core.grad")).isEqualTo(345.6);
  }

  @Test
  void aProfileAtTp4PredictsTp8WithinTheErrorThatTheReportStates() throws Exception {
    synth("known.yaml", "measured");
    synth("known.yaml", "truth", "--set", "mesh.tp=8", "--set", "mesh.dp=1");
    synth(
        "job.yaml",
        "predicted",
        "--to",
        "timeline",
        "--set",
        "mesh.tp=8",
        "--set",
        "mesh.dp=1",
        profiles("measured", 8));

    double truth = summary("truth").at("/stages/0/compute_us").asDouble();
    double predicted = summary("predicted").at("/stages/0/compute_us").asDouble();
    double stated = calibration("predicted").at("/step/compute_factor").asDouble();
    assertThat(Math.max(truth / predicted, predicted / truth)).isLessThanOrEqualTo(stated);
    // gradients of weights add to what there is, so that few products are near to them
    assertThat(stated).isLessThan(2);
    assertThat(calibration("predicted").at("/coverage/known").asDouble()).isGreaterThan(0.99);
  }

  @Test
  void aDeviceAndItsNetworkAreFoundInItsProfiles() throws Exception {
    String job =
        """
        model: {family: llama, layers: 2, hidden: 4096, heads: 32, ffn: 11008, vocab: 32000}
        mesh: {tp: 2, dp: 2}
        training: {global_batch: 4, seq: 4096, zero: 1}
        """;
    Files.writeString(temp.resolve("known.yaml"), job + "hardware: h100\n" + EXPORTS);
    synth("known.yaml", "measured");
    List<String> fit = new ArrayList<>(List.of("profile", "--fit-hardware", "device.yaml"));
    fit.addAll(List.of(profiles("measured", 4)));
    fit.remove("--profile");
    Stage.Outcome fitted = Stage.run(temp, fit.toArray(String[]::new));
    assertThat(fitted.exit()).as(fitted.err()).isZero();
    // the data sheet by which the profiles were simulated, of whose links 0.8 are reached
    assertThat(temp.resolve("device.yaml"))
        .content()
        .contains("peak_tflops: {bf16: 989.0}")
        .contains("memory_gb: 85.52")
        .contains("memory_gb_per_s: 3350")
        .contains("{topology: switch, size: 2, gb_per_s: 360.0, latency_ns: 500.")
        .contains("{topology: switch, gb_per_s: 360.0, latency_ns: 499.");

    Files.writeString(temp.resolve("fitted.yaml"), job + "hardware: device.yaml\n");
    synth("fitted.yaml", "again", "--to", "timeline");
    double step = summary("measured").path("step_us").asDouble();
    assertThat(summary("again").path("step_us").asDouble()).isCloseTo(step, within(1e-3 * step));
  }

  @Test
  void aPartialProfileLeavesTheRestEstimatedAndSaysHowMuchIsMeasured() throws Exception {
    synth("known.yaml", "measured");
    // of all kernels only those of the feed-forward products: head and optimizer take most here
    Files.writeString(
        temp.resolve("job.yaml"),
        SMALL
            + "hardware: h100\nprofile:\n  - {file: measured/timeline/rank0.kineto.json,"
            + " importer: kineto, only: layers.*.mlp}\n");
    Stage.Outcome synth = synth("job.yaml", "partial", "--to", "timeline,chakra");

    assertThat(duration("partial", "mb0.layers.1.mlp.up"))
        .isEqualTo(duration("measured", "mb0.layers.1.mlp.up"));
    JsonNode report = calibration("partial");
    double all = 0;
    double known = 0;
    for (JsonNode level : report.path("levels")) {
      if (level.path("bytes").isNull()) {
        all += level.path("total_us").asDouble();
        known +=
            level.path("level").asText().equals("analytic") ? 0 : level.path("total_us").asDouble();
      }
    }
    double share = report.at("/coverage/known").asDouble();
    assertThat(share).isCloseTo(known / all, within(1e-4)).isBetween(0.1, 0.3);
    assertThat(synth.out())
        .contains("Measured: %.1f %% of computation".formatted(100 * share))
        .contains("estimated");
    // ASTRA-sim's own roofline would ignore the durations
    assertThat(temp.resolve("partial/chakra/system.json"))
        .content()
        .contains("\"roofline-enabled\": 0");
    synth("known.yaml", "estimated", "--to", "chakra");
    assertThat(temp.resolve("estimated/chakra/system.json"))
        .content()
        .contains("\"roofline-enabled\": 1");
  }

  @Test
  void optionsOfAnImporterThatItDoesNotHaveAreRefusedByName() throws Exception {
    synth("known.yaml", "measured", "--ranks", "0");
    Files.writeString(
        temp.resolve("job.yaml"),
        SMALL + "profile: [{file: measured/timeline/rank0.kineto.json, clip_overlaps: true}]\n");
    Stage.Outcome refused = Stage.run(temp, "inspect", "job.yaml");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("job.yaml, line 4, profile[0]")
        .contains("option 'clip_overlaps' is not known. Options: clip-overlaps, rank.");
  }

  @Test
  void nothingOfWhatAProfileHoldsBesidesComesOutAnywhere() throws Exception {
    String secret = "hf_SeCrEtToKeN";
    synth("known.yaml", "measured", "--ranks", "0");
    String profile = Files.readString(temp.resolve("measured/timeline/rank0.kineto.json"));
    String planted =
        profile
            .replaceFirst(
                "\"schemaVersion\":1",
                "\"metadata\": {\"env\": {\"HF_TOKEN\": \"S\", \"PATH\": [\"/home/S\"]}}, \"S\": {\"rank\": \"S\"},"
                        .replace("S", secret)
                    + ("\"username\": \"S\", \"host_name\": \"S\", \"schemaVersion\": 1,"
                            + " \"trace_id\": \"S\", \"traceName\": \"/home/S/trace.json\"")
                        .replace("S", secret))
            .replace("\"backend\":\"nccl\"", "\"backend\":\"" + secret + "\"")
            .replace("\"device\":0", "\"device\":0,\"path\":\"/home/" + secret + "\"")
            .replaceFirst(
                "\"traceEvents\":\\[",
                ("\"traceEvents\":[\n{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"/home/S/a.py(3): f\","
                        + "\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"args\":{\"S\":\"S\"}},\n"
                        + "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"broken \"S\" name\",\"p\n")
                    .replace("S", secret));
    assertThat(planted).contains("\"HF_TOKEN\": \"" + secret).contains("broken \"" + secret);
    Files.writeString(temp.resolve("secret.json"), planted);
    Files.writeString(temp.resolve("cut.json"), planted.substring(0, planted.length() / 2));
    Files.writeString(temp.resolve("head.json"), planted.substring(0, 200));
    Path data = Files.createDirectories(temp.resolve("data"));
    Stream.of("secret.json", "cut.json", "head.json", "job.yaml")
        .forEach(name -> temp.resolve(name).toFile().renameTo(data.resolve(name).toFile()));

    for (String file : List.of("secret.json", "cut.json", "head.json")) {
      String path = "data/" + file;
      for (String loud : List.of("-v", "--debug")) {
        assertSilent(secret, Stage.run(temp, "profile", path, loud));
        assertSilent(secret, Stage.run(temp, "profile", path, loud, "--json"));
      }
      Command all = Command.stage(temp, Map.of("STAGE_LOG", "trace"), "profile", path);
      assertSilent(secret, new Stage.Outcome(all.exit(), all.out(), all.err()));
    }
    String[] synth = {
      "synth",
      "data/job.yaml",
      "--debug",
      "--out",
      "out",
      "--to",
      "timeline,chakra,simai,dot",
      "--set",
      "hardware=h100",
      "--profile",
      "data/secret.json"
    };
    Stage.Outcome outcome = Stage.run(temp, synth);
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    assertSilent(secret, outcome);
    Stage.Outcome fit =
        Stage.run(temp, "profile", "data/secret.json", "--debug", "--fit-hardware", "out/d.yaml");
    assertSilent(secret, fit);
    try (Stream<Path> files = Files.walk(temp.resolve("out"))) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(each, StandardCharsets.ISO_8859_1);
        assertThat(text.contains(secret)).as(each.toString()).isFalse();
      }
    }
  }

  private static void assertSilent(String secret, Stage.Outcome outcome) {
    assertThat(outcome.err()).isNotEmpty();
    assertThat((outcome.out() + outcome.err()).contains(secret)).as(outcome.err()).isFalse();
  }

  private static String[] profiles(String folder, int ranks) {
    List<String> words = new ArrayList<>(List.of("--profile"));
    for (int rank = 0; rank < ranks; rank++) {
      words.add(folder + "/timeline/rank" + rank + ".kineto.json");
    }
    return words.toArray(String[]::new);
  }

  /** Words are texts or arrays of them. */
  private Stage.Outcome synth(String job, String out, Object... words) throws Exception {
    List<String> args = new ArrayList<>(List.of("synth", job, "--out", out));
    for (Object word : words) {
      args.addAll(word instanceof String[] several ? List.of(several) : List.of((String) word));
    }
    Stage.Outcome outcome = Stage.run(temp, args.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    return outcome;
  }

  private JsonNode summary(String out) throws Exception {
    return read(temp.resolve(out).resolve("timeline/timeline.summary.json"));
  }

  private JsonNode calibration(String out) throws Exception {
    return read(temp.resolve(out).resolve("calibration.json"));
  }

  private double duration(String out, String node) throws Exception {
    for (JsonNode event :
        read(temp.resolve(out).resolve("timeline/timeline.json")).path("traceEvents")) {
      if (event.path("name").asText().equals(node)) {
        return event.path("dur").asDouble();
      }
    }
    throw new AssertionError("no " + node);
  }

  private static JsonNode read(Path file) throws Exception {
    return new ObjectMapper().readTree(file.toFile());
  }
}
