package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One workload says the same in every format: FLOPs by phase and bytes by kind of communication are
 * those of {@code stage inspect}, after what each format's page says of its conversion.
 */
class BackendsAgreeIT {
  @TempDir Path temp;

  static Stream<Arguments> jobs() {
    return Stream.of(
        job("dense-tiny"),
        job("dense-tiny", "training.sequence_parallel=false"),
        job("dense-tiny", "training.zero=1", "mesh.dp=4", "mesh.pp=1"),
        job("dense-tiny", "training.zero=2"),
        job("dense-tiny", "training.zero=3", "mesh.dp=4", "mesh.pp=1", "training.zero_group=2"),
        job("dense-tiny", "model.tied=true"),
        job("dense-tiny", "training.recompute=full"),
        job("dense-tiny", "training.recompute=selective", "training.attention_flops=causal"),
        job("dense-tiny", "mesh.tp=8", "mesh.dp=1", "mesh.pp=1"),
        job("dense-tiny", "mesh.cp=2", "mesh.dp=1"),
        job("dense-tiny", "mesh.cp=2", "mesh.dp=1", "training.context_parallel=ulysses"),
        job("dense-tiny", "mesh.cp=2", "mesh.dp=1", "training.context_parallel=ring"),
        job("dense-tiny", "training.schedule=interleaved", "training.virtual_stages=2"),
        job("dense-tiny", "training.schedule=zero-bubble"),
        job("dense-tiny", "training.schedule=dualpipe"),
        job("dense-tiny", "training.precision=fp8"),
        job("mixtral-8x7b", "model.layers=4", "training.seq=128", "training.expert_tp=1"),
        job("mixtral-8x7b", "model.layers=4", "training.global_batch=16", "training.seq=128"),
        job("llama-3.1-8b", "model.layers=4", "training.global_batch=16", "training.seq=512"));
  }

  private static Arguments job(String example, String... settings) {
    return Arguments.of(example, List.of(settings));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void eachFormatHoldsWhatTheWorkloadDoes(String example, List<String> settings) throws Exception {
    Path file = temp.resolve("workload.yaml");
    Files.writeString(
        file,
        Files.readString(Stage.EXAMPLES.resolve(example + ".yaml"))
                .replaceAll("(?m)^exports:.*$", "")
            + "exports: [{to: chakra, groups: members}, scalesim, timeline,"
            + " {to: genie, merge: false}, {to: simai, stage: all, context_parallel: fold}]\n");
    JsonNode inspected = new ObjectMapper().readTree(stage(settings, "inspect", "--json").out());
    stage(settings, "synth", "--out", "out");
    BackendSums sums = new BackendSums(temp.resolve("out"));
    Map<String, Long> perStage = new TreeMap<>();
    JsonNode classes = inspected.get("classes");
    for (JsonNode each : classes) {
      int rank = Integer.parseInt(each.get("ranks").textValue().replaceFirst("[-,].*", ""));
      Map<String, Long> truth = BackendSums.inspected(each);
      List<JsonNode> events = sums.events(rank);
      assertThat(BackendSums.timeline(events)).as("timeline, rank %d", rank).isEqualTo(truth);
      Map<String, Long> traced = BackendSums.asTraces(events);
      assertThat(sums.traces("chakra", "workload.json", rank, events)).isEqualTo(traced);
      assertThat(sums.traces("genie", "comm_group.json", rank, events)).isEqualTo(traced);
      compareGemms(sums, rank, truth);
      compareTimes(sums.simai(each.get("stage").intValue(), classes.size()), events);
      BackendSums.asSimai(truth).forEach((word, bytes) -> BackendSums.add(perStage, word, bytes));
    }
    compareSimai(sums, classes.size(), perStage);
  }

  private void compareGemms(BackendSums sums, int rank, Map<String, Long> truth) throws Exception {
    JsonNode said = sums.scalesim(rank);
    Map<String, Long> gemms = sums.gemms(rank);
    Map<String, Long> flops = new TreeMap<>(truth);
    flops.keySet().removeIf(key -> !key.startsWith("flops "));
    long excess = said.get("excess_flops").longValue();
    assertThat(total(gemms) - excess).as("GEMMs of rank %d", rank).isEqualTo(total(flops));
    if (excess == 0) {
      assertThat(gemms).as("GEMMs of rank %d by phase", rank).isEqualTo(flops);
    }
    Map<String, Long> lost = new TreeMap<>();
    for (JsonNode each : said.get("not_in_rows")) {
      assertThat(each.get("matrix_flops").longValue()).isZero();
      BackendSums.add(lost, BackendSums.OTHER, each.get("other_flops").longValue());
      if (each.get("other_flops").longValue() == 0 && isTransfer(each)) {
        BackendSums.add(lost, each.get("what").textValue(), each.get("bytes").longValue());
      }
    }
    Map<String, Long> rest = new TreeMap<>();
    truth.forEach(
        (key, value) -> {
          if (!key.startsWith("flops ")) {
            boolean other = key.equals(BackendSums.OTHER);
            BackendSums.add(rest, other ? key : key.replaceFirst(" .*", ""), value);
          }
        });
    assertThat(lost).as("what no GEMM of rank %d holds", rank).isEqualTo(rest);
  }

  private static boolean isTransfer(JsonNode each) {
    return each.get("what").textValue().matches("all-.*|reduce-scatter|send|recv");
  }

  /** Both take the hardware's roofline; SimAI's entries are whole nanoseconds. */
  private static void compareTimes(Map<String, Long> simai, List<JsonNode> events) {
    Map<String, Double> nanoseconds = new TreeMap<>();
    for (JsonNode event : events) {
      if (event.get("args").has("flops")) {
        boolean forward = event.at("/args/phase").textValue().equals("forward");
        nanoseconds.merge(
            forward ? "ns forward" : "ns after",
            1000 * event.get("dur").doubleValue(),
            Double::sum);
      }
    }
    nanoseconds.forEach(
        (column, time) ->
            assertThat((double) simai.getOrDefault(column, 0L))
                .as(column)
                .isCloseTo(time, within((double) events.size())));
  }

  /** What SimAI has no group for is said, in bytes over all stages. */
  private static void compareSimai(BackendSums sums, int stages, Map<String, Long> truth)
      throws Exception {
    Map<String, Long> written = new TreeMap<>();
    for (int stage = 0; stage < stages; stage++) {
      sums.simai(stage, stages).forEach((key, value) -> BackendSums.add(written, key, value));
    }
    written.keySet().removeIf(key -> key.startsWith("ns "));
    for (JsonNode loss : BackendSums.json(sums.out().resolve("simai/totals.json")).get("losses")) {
      String what = loss.get("what").textValue();
      if (what.startsWith("all-reduce over ") && what.endsWith(" is not in the file")) {
        BackendSums.add(written, "ALLREDUCE", loss.get("bytes").longValue());
      }
    }
    assertThat(written).as("SimAI's rows and what it says is lost").isEqualTo(truth);
  }

  private static long total(Map<String, Long> sums) {
    return sums.values().stream().mapToLong(Long::longValue).sum();
  }

  private Stage.Outcome stage(List<String> settings, String command, String... options)
      throws Exception {
    List<String> words = new ArrayList<>(List.of(command, "workload.yaml"));
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    words.addAll(List.of(options));
    Stage.Outcome outcome = Stage.run(temp, words.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    return outcome;
  }
}
