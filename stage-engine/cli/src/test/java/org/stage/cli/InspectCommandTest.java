package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {
  @TempDir static Path home;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
  }

  private static Run inspect(String... options) {
    List<String> args = new ArrayList<>(List.of("inspect", home.resolve("job.yaml").toString()));
    args.addAll(List.of(options));
    return Run.of(home, args.toArray(String[]::new));
  }

  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void printsTablesForPeople() {
    Run run = inspect();

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("mesh               8 devices, tp=4 dp=2 pp=1\n")
        .contains("Traffic of each of the ranks 0-7, per step\n")
        .containsPattern("peak memory        \\S+ .?B per rank\n");
  }

  @Test
  void tellsWhatIsWastefulInALineOnStandardErrorAndGoesOn() {
    Run run = inspect("--json", "--set", "training.dropout=true");

    assertThat(run.exit()).isZero();
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .endsWith(
            "training.dropout: has no effect: llama-3.2-1b-changed has no dropout. Remove it.");
    assertThat(run.out()).startsWith("{");
    assertThat(inspect("-q", "--set", "training.dropout=true").err()).isEmpty();
  }

  @Test
  void saysWhereExpertsAreNotEquallyLoaded() {
    String experts =
        "{family: llama, layers: 2, hidden: 64, heads: 8, vocab: 1000, experts: 2,"
            + " experts_per_token: 1, expert_ffn: 64}";
    Run run =
        inspect(
            "--set", "model=" + experts,
            "--set", "mesh={ep: 2}",
            "--set", "training.expert_load={layers.*: [3, 1]}");

    assertThat(run.exit()).isZero();
    assertThat(run.err())
        .contains("warning: ")
        .contains("the fullest of 2 expert-parallel ranks has 1.50 times the mean rows");
    assertThat(run.out()).containsPattern("\n0 +0 ").containsPattern("\n1 +0 ");
  }

  @Test
  void printsTheJsonThatThePageOnTheCommandLinePromises() throws Exception {
    JsonNode json = new ObjectMapper().readTree(inspect("--json").out());

    assertThat(keys(json)).containsExactly("model", "mesh", "classes", "totals");
    assertThat(keys(json.get("model"))).containsExactly("name", "parameters", "active_parameters");
    assertThat(json.at("/mesh/devices").intValue()).isEqualTo(8);
    assertThat(json.at("/mesh/axes/tp").intValue()).isEqualTo(4);
    JsonNode first = json.at("/classes/0");
    assertThat(keys(first))
        .containsExactly("stage", "ranks", "nodes", "flops", "flops_other", "traffic", "memory");
    assertThat(first.get("ranks").textValue()).isEqualTo("0-7");
    assertThat(keys(first.get("flops")))
        .containsExactly("forward", "backward", "recompute", "optimizer");
    assertThat(keys(first.at("/traffic/0")))
        .containsExactly("kind", "axis", "group_size", "dtype", "count", "elements", "bytes");
    JsonNode memory = first.get("memory");
    assertThat(keys(memory))
        .containsExactly(
            "peak_bytes",
            "parameters_bytes",
            "gradients_bytes",
            "optimizer_bytes",
            "activations_bytes",
            "workspace_bytes",
            "kv_cache_bytes");
    assertThat(memory.get("kv_cache_bytes").isNull()).isTrue();
    assertThat(json.at("/totals/flops").isIntegralNumber()).isTrue();
    assertThat(json.at("/totals/peak_memory_bytes")).isEqualTo(memory.get("peak_bytes"));
  }

  @Test
  void drawsMemoryOverTheStepWithItsPeak() throws Exception {
    Run run = inspect("--memory-timeline");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("ranks 0-7, stage 0\n")
        .containsPattern("peak \\S+ GB in turn \\d+, B0, \\S+: parameters \\S+ .B, gradients ")
        .containsPattern("(?m)^ +1  B0 +=+.*#* +\\S+ GB < peak$");
  }

  @Test
  void theMaximumOfTheMemoryTimelineIsThePeak() throws Exception {
    JsonNode peak = new ObjectMapper().readTree(inspect("--json").out()).at("/classes/0/memory");
    JsonNode json = new ObjectMapper().readTree(inspect("--memory-timeline", "--json").out());
    List<String> csv = inspect("--memory-timeline", "--csv").out().lines().toList();

    JsonNode timeline = json.at("/classes/0");
    assertThat(keys(timeline)).containsExactly("stage", "ranks", "peak", "moments");
    assertThat(timeline.at("/peak/bytes")).isEqualTo(peak.get("peak_bytes"));
    assertThat(timeline.at("/peak/activations_bytes")).isEqualTo(peak.get("activations_bytes"));
    assertThat(csv.get(0)).startsWith("stage,ranks,turn,passes,modules,bytes,parameters_bytes,");
    assertThat(csv).hasSize(1 + timeline.get("moments").size());
    assertThat(csv.stream().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[5])).max())
        .hasValue(peak.get("peak_bytes").longValue());
  }

  @Test
  void aTimelineIsAskedForBeforeItsForm() {
    assertThat(inspect("--csv").err()).contains("--csv: needs --memory-timeline");
    assertThat(inspect("--csv").exit()).isEqualTo(2);
    assertThat(inspect("--memory-timeline", "--print-graph").exit()).isEqualTo(2);
  }

  @Test
  void keepsTotalsExactBeyond64Bits() throws Exception {
    Run run =
        inspect(
            "--json",
            "--set=model=gpt-3-175b",
            "--set=mesh.dp=65536",
            "--set=training.global_batch=65536",
            "--set=training.seq=2048");
    JsonNode json = new ObjectMapper().readTree(run.out());

    BigInteger flops = json.at("/totals/flops").bigIntegerValue();
    assertThat(flops.bitLength()).isGreaterThan(64);
  }

  @Test
  void saysOnceWhatEqualStagesDo() {
    Run run =
        inspect(
            "--set",
            "mesh={pp: 8}",
            "--set",
            "model.layers=16",
            "--set",
            "training.global_batch=8");

    assertThat(run.out().lines().filter(line -> line.startsWith("Traffic of")))
        .containsExactly(
            "Traffic of each of the ranks 0,7, per step",
            "Traffic of each of the ranks 1-6, per step");
    assertThat(run.out()).containsPattern("\n1-6 +1-6 ").containsPattern("\n0 +0 ");
  }

  @Test
  void printsTheGraph() {
    assertThat(inspect("--print-graph").out()).contains("decoder_layer");
  }

  @Test
  void drawsTheScheduleOfThePipeline() {
    Run run =
        inspect(
            "--schedule", "--set=mesh.pp=2", "--set=training.global_batch=8", "--set=mesh.tp=2");

    assertThat(run.exit()).isZero();
    // 4 micro-batches: idle (p-1)/(m+p-1) = 1/5
    assertThat(run.out())
        .contains("idle simulated     20.00 % (1/5)\n")
        .contains("0 | F0 F1 .  .  B0--- F2 B1--- F3 B2--- .  B3---\n")
        .contains("1 | .  F0 B0--- F1 B1--- F2 B2--- F3 B3--- .  .\n")
        .doesNotContain("left out");
  }

  @Test
  void leavesOutColumnsOfALongScheduleAndSaysHowMany() {
    Run run = inspect("--schedule", "--set=mesh.pp=2", "--set=training.global_batch=200");

    // 100 micro-batches of 3 columns, and 3 idle ones; 150 characters are 37 columns.
    assertThat(run.out()).contains("Columns 20 to 285 of 303 are left out.\n");
    assertThat(run.out().lines()).allMatch(line -> line.length() < 170);
    assertThat(run.out()).contains(" ... ").contains("F0").contains("B99---");
  }

  @Test
  void warnsOfAPipelineThatIsNeverFull() {
    Run run = inspect("--set=mesh.pp=2", "--set=training.global_batch=2");

    assertThat(run.exit()).isZero();
    assertThat(run.err())
        .contains("1 micro-batch does not fill 2 pipeline stages, which idle 50 % of the time");
  }

  @Test
  void printsTheScheduleAsJson() throws Exception {
    Run run =
        inspect(
            "--schedule",
            "--json",
            "--set=mesh.pp=2",
            "--set=training.global_batch=8",
            "--set=training.schedule=dualpipe");
    JsonNode json = new ObjectMapper().readTree(run.out());

    assertThat(keys(json))
        .containsExactly(
            "schedule",
            "ranks",
            "virtual_stages",
            "micro_batches",
            "costs",
            "makespan",
            "idle_share",
            "idle_share_by_formula",
            "formula",
            "source",
            "by_rank");
    // (p/2 - 1) is 0: nothing is idle in 4 x (1 + 2).
    assertThat(json.get("makespan").intValue()).isEqualTo(12);
    assertThat(json.get("idle_share")).isEqualTo(json.get("idle_share_by_formula"));
    assertThat(json.at("/idle_share/part").intValue()).isZero();
    assertThat(keys(json.at("/by_rank/0")))
        .containsExactly("rank", "idle", "in_flight", "in_flight_for_weights", "turns");
    assertThat(json.at("/by_rank/0/in_flight").intValue()).isEqualTo(3);
    assertThat(keys(json.at("/by_rank/0/turns/0/passes/0")))
        .containsExactly("pass", "chunk", "micro_batch");
  }

  @Test
  void refusesToDrawMoreThanAScreenCouldShow() {
    Run run = inspect("--schedule", "--set=training.global_batch=2000000000", "--set=mesh.dp=1");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("passes are too many to show the schedule of");
  }

  @Test
  void refusesTwoFormsAtOnce() {
    assertThat(inspect("--json", "--print-graph").exit()).isEqualTo(2);
    assertThat(inspect("--schedule", "--print-graph").exit()).isEqualTo(2);
  }

  @Test
  void refusesAWrongFileWithOneLine() {
    Run run = inspect("--set", "mesh.tp=3");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: ").doesNotContain("\tat ");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Run run = Run.of(home, "inspect", "nowhere.yaml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: nowhere.yaml").doesNotContain("\tat ");
  }
}
