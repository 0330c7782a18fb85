package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.workloadfile.WorkloadReader;

/** Wasteful strategies: each is told by its key, with a reason and the nearest sensible setting. */
class AdviceTest {
  private static final String JOB =
      "{model: llama-3.1-8b, mesh: {%s}, training: {global_batch: 64, seq: 8192%s}%s}";
  private static final String TINY =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, kv_heads: 4, ffn: 160, vocab:"
          + " 1024}, mesh: {%s}, training: {global_batch: 16, seq: %d%s}%s}";

  /** The warnings, without the name of the file. */
  private static List<String> said(String job) {
    Synthesis synthesis = Jobs.job(job);
    List<Diagnostic> advice = synthesis.advice(synthesis.analysis());
    assertThat(advice).allMatch(each -> each.severity() == Severity.WARNING);
    return advice.stream().map(each -> each.toString().replaceFirst("^.*\\.yaml, ", "")).toList();
  }

  @Test
  void aSensibleJobGivesNoWarning() {
    assertThat(
            said(
                JOB.formatted(
                    "tp: 8, dp: 2, pp: 2",
                    ", zero: 1, sequence_parallel: true",
                    ", hardware: h100")))
        .isEmpty();
  }

  /** Two of them are published runs in simulators, which do not look at memory. */
  @Test
  void examplesAreNotWasteful() throws IOException {
    List<String> all = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("..", "..", "examples"), "*.yaml")) {
      for (Path file : files) {
        Synthesis synthesis = Synthesis.of(WorkloadReader.read(file, List.of()).job());
        synthesis.advice(synthesis.analysis()).forEach(each -> all.add(each.toString()));
      }
    }
    // One example is there for what is wasteful, one does not fit, one scatters to fit.
    all.removeIf(each -> each.contains("mixtral-8x7b-skewed.yaml, training.expert_"));
    assertThat(all)
        .hasSize(2)
        .allMatch(
            each ->
                each.matches(".*(llama-3.1-70b.yaml, hardware|405b-16k.yaml, training.zero): .*"));
  }

  @Test
  void tensorParallelismLeavesTheNode() {
    assertThat(said(TINY.formatted("tp: 2, dp: 8, order: [dp, tp, pp]", 128, ", zero: 1", H100)))
        .containsExactly(
            "mesh.tp: 2 ranks reach beyond a node of 8 devices: every layer's collectives go over"
                + " 50 GB/s instead of 450. Put tp first in mesh.order.");
    assertThat(said(TINY.formatted("tp: 4, dp: 4, order: [dp, tp, pp]", 128, ", zero: 1", H100)))
        .containsExactly(
            "mesh.tp: 4 ranks reach beyond a node of 8 devices: every layer's collectives go over"
                + " 50 GB/s instead of 450. Largest within a node: 2.");
    assertThat(said(TINY.formatted("tp: 4, dp: 4", 128, ", zero: 1", H100))).isEmpty();
  }

  @Test
  void expertsUnderTensorParallelismWantSequenceParallelism() {
    String job =
        "{model: {family: llama, layers: 2, hidden: 64, heads: 8, vocab: 1024, experts: 8,"
            + " experts_per_token: 2, expert_ffn: 32}, mesh: {tp: 2}, training: {global_batch: 1,"
            + " seq: 128%s}}";
    assertThat(said(job.formatted("")))
        .containsExactly(
            "training.sequence_parallel: is false: each of 2 tensor-parallel ranks routes and"
                + " dispatches all tokens, as servers do; Megatron-LM refuses to train experts so."
                + " Set it to true.");
    assertThat(said(job.formatted(", sequence_parallel: true"))).isEmpty();
  }

  private static final String H100 = ", hardware: h100";

  @Test
  void keyValueHeadsAreReplicated() {
    assertThat(said(JOB.formatted("tp: 16", ", sequence_parallel: true", "")))
        .containsExactly(
            "mesh.tp: 16 exceeds the 8 key/value heads of llama-3.1-8b: 2 ranks hold a copy of"
                + " each, and sum its gradients. Largest without copies: 8.");
  }

  @Test
  void microBatchesDoNotFillThePipeline() {
    // 2 micro-batches on 4 stages: 3 of 5 turns idle.
    assertThat(said(TINY.formatted("pp: 4, dp: 2", 128, ", micro_batch: 4", "")))
        .containsExactly(
            "training.global_batch: 2 micro-batches do not fill 4 pipeline stages, which idle 60 %"
                + " of the time. With 32 there are as many as stages; or lower"
                + " training.micro_batch.");
    assertThat(said(TINY.formatted("pp: 4, dp: 4", 128, "", ""))).isEmpty();
  }

  @Test
  void sequencesAreTooShortToSplit() {
    assertThat(said(TINY.formatted("cp: 8", 8192, "", "")))
        .containsExactly(
            "mesh.cp: 8 leaves 1024 tokens of a sequence to a rank, for which keys and values are"
                + " exchanged in every layer. Largest with 2048 tokens a rank: 4; data parallelism"
                + " splits whole sequences.");
    assertThat(said(TINY.formatted("cp: 4", 8192, "", ""))).isEmpty();
  }

  @Test
  void expertsGetNoTokens() {
    String job =
        "{model: {family: llama, layers: 2, hidden: 32, heads: 4, experts: 64, experts_per_token:"
            + " 2, expert_ffn: 16, vocab: 128}, mesh: {ep: 4}, training: {global_batch: 4,"
            + " seq: %d, vocab_multiple: 1, expert_capacity: {factor: 1.0}}}";
    // 16 tokens choose 32 of 64 experts: 2 of 4 ranks at best.
    assertThat(said(job.formatted(4)))
        .containsExactly(
            "mesh.ep: a micro-batch of 16 tokens meets 32 of 64 experts of a layer: 2 of 4 ranks"
                + " have nothing to compute. Raise training.micro_batch or training.seq.");
    assertThat(said(job.formatted(8))).isEmpty();
  }

  @Test
  void vocabularyIsMostlyPadding() {
    assertThat(said(TINY.formatted("tp: 4", 128, ", vocab_multiple: 384", "")))
        .containsExactly(
            "training.vocab_multiple: pads the vocabulary of 1024 to 1536, 50 % more to compute,"
                + " hold and send. Lower it: 1 pads to a multiple of tp.");
  }

  @Test
  void zeroShardsOverOneRank() {
    assertThat(said(TINY.formatted("tp: 2", 128, ", zero: 1", "")))
        .containsExactly(
            "training.zero: 1 has no effect: mesh.dp x cp x ep is 1, so that every parameter has"
                + " one holder. Raise mesh.dp, or set it to 0.");
    assertThat(said(TINY.formatted("cp: 2", 8192, ", zero: 1", ""))).isEmpty();
  }

  @Test
  void zeroGathersForEveryMicroBatch() {
    String remedy = ", for each micro-batch. With 1 it is once a step.";
    assertThat(said(TINY.formatted("pp: 2, dp: 2", 128, ", zero: 3", "")))
        .containsExactly(
            "training.zero: 3 with mesh.pp 2 gathers the parameters of a layer 16 times a step"
                + remedy);
    assertThat(said(TINY.formatted("pp: 2, dp: 2", 128, ", zero: 3, zero_regather: none", "")))
        .containsExactly(
            "training.zero: 3 with mesh.pp 2 gathers the parameters of a layer 8 times a step"
                + remedy);
    assertThat(said(TINY.formatted("pp: 2, dp: 2", 128, ", zero: 2", "")))
        .containsExactly(
            "training.zero: 2 with mesh.pp 2 scatters the gradients of a layer 8 times a step"
                + remedy);
    assertThat(said(TINY.formatted("dp: 2", 128, ", zero: 3", ""))).isEmpty();
  }

  @Test
  void sequenceParallelismNeedsTensorParallelism() {
    assertThat(said(TINY.formatted("dp: 2", 128, ", sequence_parallel: true", "")))
        .containsExactly(
            "training.sequence_parallel: has no effect: mesh.tp is 1. Raise mesh.tp, or remove"
                + " it.");
    assertThat(said(TINY.formatted("dp: 2", 128, "", ", framework: nemo"))).isEmpty();
  }

  @Test
  void contextParallelismNeedsRanks() {
    assertThat(said(TINY.formatted("dp: 2", 128, ", context_parallel: ulysses", "")))
        .containsExactly(
            "training.context_parallel: has no effect: mesh.cp is 1. Raise mesh.cp, or remove"
                + " it.");
  }

  @Test
  void capacityNeedsExperts() {
    assertThat(said(TINY.formatted("dp: 2", 128, ", expert_capacity: {factor: 2}", "")))
        .containsExactly(
            "training.expert_capacity: has no effect: custom has no experts. Remove it.");
  }

  @Test
  void dropoutIsNotInTheModel() {
    assertThat(said(TINY.formatted("dp: 2", 128, ", dropout: true", "")))
        .containsExactly("training.dropout: has no effect: custom has no dropout. Remove it.");
  }

  @Test
  void ruleNamesAnAxisOfOneDevice() {
    assertThat(said(TINY.formatted("dp: 2", 128, "", ", rules: {residual: tp}")))
        .containsExactly(
            "rules.residual: tp has no effect: mesh.tp is 1. Raise mesh.tp, or remove it.");
  }

  private static final String SMALL =
      ", hardware: {peak_tflops: {bf16: 100}, memory_gb: %s, memory_gb_per_s: 1000}";

  /** 18 bytes for each of 8,030,261,248 parameters: 134.6 GiB of states alone. */
  @Test
  void deviceIsTooSmall() {
    assertThat(said(JOB.formatted("dp: 2", ", vocab_multiple: 1, recompute: full", H100)))
        .singleElement()
        .asString()
        .startsWith("hardware: ranks of stage 0 need 1")
        .contains("GiB more than the 79.6 GiB of the device")
        .endsWith("Most of it: model states, 134.6 GiB; training.zero 1 lowers them.");
  }

  /** 2 GiB of 145 x 10^9 bytes are the framework's. */
  @Test
  void whatAFrameworkTakesIsNotThereForAJob() {
    String device = SMALL.formatted("145, reserved_gb: 2.147483648"); // 135.04 GiB less 2
    assertThat(said(JOB.formatted("dp: 2", ", vocab_multiple: 1, recompute: full", device)))
        .singleElement()
        .asString()
        .contains("133.0 GiB of the device");
  }

  @Test
  void deviceIsTooSmallForWhatTheMicroBatchesKeep() {
    String job = TINY.replace("global_batch: 16", "global_batch: 16, micro_batch: 8");
    assertThat(said(job.formatted("dp: 1", 2048, "", SMALL.formatted("0.05"))))
        .singleElement()
        .asString()
        .contains("Most of it: activations")
        .endsWith("training.recompute: full lowers them.");
    assertThat(said(job.formatted("dp: 1", 2048, ", recompute: full", SMALL.formatted("0.05"))))
        .singleElement()
        .asString()
        .endsWith("a smaller training.micro_batch lowers them.");
  }

  @Test
  void recomputationIsNotNeeded() {
    // Forward, backward and, with scores once more in flash attention, all of the layers again.
    String job =
        TINY.replace("vocab: 1024", "vocab: 128")
            .formatted("dp: 2", 128, ", recompute: full", SMALL.formatted("80"));
    long layers = 2L * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 160) + 4L * 128 * 64;
    long head = 2L * 64 * 128;
    long scores = 2L * 128 * 64;
    double share = 4.0 * layers / (4 * (4 * layers + scores) + 3 * head);
    assertThat(said(job))
        .singleElement()
        .asString()
        .startsWith("training.recompute: is not needed: without it ranks need 0.0 of the 74.5 GiB")
        .endsWith("and compute " + Math.round(100 * share) + " % less. Set it to none.");
    assertThat(said(JOB.formatted("dp: 2", ", zero: 3, recompute: full, micro_batch: 4", H100)))
        .noneMatch(each -> each.startsWith("training.recompute"));
  }
}
