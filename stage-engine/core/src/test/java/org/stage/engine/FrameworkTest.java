package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;
import org.stage.job.ContextParallelism;
import org.stage.job.GradientReduction.When;
import org.stage.job.Job;
import org.stage.job.StateSharding;
import org.stage.job.TensorParallelism;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.workloadfile.WorkloadReader;

/** What frameworks do differently, against closed forms; and the key that overrides each. */
class FrameworkTest {
  private static final String LLAMA =
      "{model: llama-3.1-8b, framework: %s, mesh: {%s}, training: {global_batch: 128, seq:"
          + " 8192%s}}";
  private static final long A = 8192L * 4096;
  private static final long L = 32;
  private static final long M = 128;

  private static Analysis.OfClass first(String framework, String mesh, String more) {
    return Jobs.job(LLAMA.formatted(framework, mesh, more)).analysis().classes().get(0);
  }

  @Test
  void torchtitanGathersInputsOfTensorParallelProductsOnce() {
    Analysis.OfClass rank = first("torchtitan", "tp: 8", "");
    assertThat(Jobs.count(rank, "all-gather", "tp")).isEqualTo(M * (4 * L + 2));
    assertThat(Jobs.count(rank, "reduce-scatter", "tp")).isEqualTo(M * (4 * L + 2));
    assertThat(Jobs.elements(rank, "all-gather", "tp")).isEqualTo(M * (4 * L + 2) * A / 8);
    assertThat(Jobs.elements(rank, "reduce-scatter", "tp")).isEqualTo(M * (4 * L + 2) * A);
  }

  @Test
  void torchtitansFirstOfTwoStagesHasOneCollectiveMoreThanItsLayers() {
    Analysis.OfClass rank = first("torchtitan", "tp: 8, pp: 2", "");
    assertThat(Jobs.count(rank, "all-gather", "tp")).isEqualTo(M * (4 * L / 2 + 1));
    assertThat(Jobs.count(rank, "reduce-scatter", "tp")).isEqualTo(M * (4 * L / 2 + 1));
  }

  @Test
  void whatStaysGatheredTakesTheMemoryOfWhatIsGathered() {
    String one = LLAMA.replace("llama-3.1-8b", "{preset: llama-3.1-8b, layers: %d}");
    String keep = ", sequence_parallel: true, keep_gathered: ";
    long[] layer = new long[2];
    for (int i = 0; i < 2; i++) {
      String flag = keep + (i == 1);
      long four = activations(one.formatted(4, "megatron", "tp: 8", flag));
      long five = activations(one.formatted(5, "megatron", "tp: 8", flag));
      layer[i] = five - four;
    }
    // The inputs of attention and feed-forward network, 2 bytes an element: whole, not an eighth.
    assertThat(layer[1] - layer[0]).isEqualTo(2 * 2 * (A - A / 8));
  }

  private static long activations(String job) {
    return Jobs.job(job).analysis().classes().get(0).memory().activations();
  }

  @ParameterizedTest
  @CsvSource({
    "torchtitan, '', FP32",
    "torchtitan, ', zero: 3', BF16",
    "torchtitan, ', tp_collectives: precision', BF16",
    "megatron, ', sequence_parallel: true', BF16",
    "megatron, ', sequence_parallel: true, tp_collectives: fp32', FP32"
  })
  void tensorParallelismSendsActivationsInTheTypeOfTheFramework(
      String framework, String more, DataType type) {
    Analysis.OfClass rank = first(framework, "tp: 8, dp: 2", more);
    assertThat(rank.traffic().stream().filter(t -> t.axis().equals("tp")))
        .filteredOn(t -> !t.kind().equals("all-reduce"))
        .isNotEmpty()
        .allMatch(t -> t.type() == type && t.bytes() == t.elements() * type.bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, '', false",
    "nemo, '', true",
    "torchtitan, '', true",
    "nemo, ', sequence_parallel: false', false",
    "megatron, ', sequence_parallel: true', true"
  })
  void sequenceParallelismIsWhatTheFrameworkDoes(String framework, String more, boolean is) {
    String job = LLAMA.formatted(framework, "tp: 8", more);
    assertThat(Jobs.spec(job).strategy().tensor().sequenceParallel()).isEqualTo(is);
  }

  @ParameterizedTest
  @CsvSource({"megatron, 128512", "nemo, 128512", "torchtitan, 128256", "deepspeed, 128256"})
  void theVocabularyIsPaddedAsTheFrameworkPadsIt(String framework, int padded) {
    // 128256 = 501 x 256; 128512 = 251 x 512.
    String job = LLAMA.formatted(framework, "tp: 4", "");
    assertThat(Jobs.spec(job).strategy().tensor().paddedVocab()).isEqualTo(padded);
    assertThat(Jobs.spec(job, "training.vocab_multiple=1000").strategy().tensor().paddedVocab())
        .isEqualTo(132000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"megatron", "nemo", "torchtitan"})
  void gradientsAreReducedInFp32UnlessToldOtherwise(String framework) {
    String job = LLAMA.formatted(framework, "dp: 2", "");
    assertThat(Jobs.spec(job).training().numerics().precision().gradients())
        .isEqualTo(DataType.FP32);
    assertThat(
            Jobs.spec(job, "training.gradients=precision")
                .training()
                .numerics()
                .precision()
                .gradients())
        .isEqualTo(DataType.BF16);
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, fp16, FP16",
    "nemo, fp16, FP16",
    "torchtitan, fp16, FP32",
    "megatron, fp8, FP32",
    "nemo, fp32, FP32",
    "megatron, 'fp16, gradients: fp32', FP32"
  })
  void megatronForcesSinglePrecisionForBf16Alone(
      String framework, String precision, DataType gradients) {
    String job = LLAMA.formatted(framework, "dp: 2", ", precision: " + precision);
    assertThat(Jobs.spec(job).training().numerics().precision().gradients()).isEqualTo(gradients);
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, '', RING",
    "nemo, '', RING",
    "torchtitan, '', ALL_GATHER",
    "megatron, ', attention: unfused', ALL_GATHER",
    "megatron, ', context_parallel: all-gather', ALL_GATHER",
    "torchtitan, ', context_parallel: ring', RING"
  })
  void keysAndValuesGoRoundUnlessTheFrameworkGathersThem(
      String framework, String more, ContextParallelism how) {
    String job = LLAMA.formatted(framework, "cp: 2", more);
    assertThat(Jobs.spec(job).strategy().context()).isEqualTo(how);
    String one = LLAMA.formatted(framework, "dp: 2", "");
    assertThat(Jobs.spec(one).strategy().context()).isEqualTo(ContextParallelism.ALL_GATHER);
  }

  @ParameterizedTest
  @CsvSource({"megatron, true", "nemo, true", "torchtitan, true", "deepspeed, false"})
  void gradientsAreClippedAsTheFrameworkDoes(String framework, boolean clips, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("job.yaml");
    Files.writeString(file, LLAMA.formatted(framework, "dp: 2", ""));
    assertThat(clips(file)).isEqualTo(clips);
    assertThat(clips(file, "training.grad_clip=" + !clips)).isEqualTo(!clips);
  }

  private static boolean clips(Path file, String... overrides) {
    Job job = WorkloadReader.read(file, List.of(overrides)).job();
    return job.training().optimizer().clipsGradients();
  }

  @Test
  void layerNormsMayHaveTheOnlyBiases() {
    String gpt =
        "{model: {family: gpt, layers: 3, hidden: 64, heads: 4, vocab: 1024, positions: 0, bias:"
            + " false%s}, training: {global_batch: 1, seq: 32}}";
    long without = Jobs.job(gpt.formatted("")).analysis().parameters();
    long with = Jobs.job(gpt.formatted(", norm_bias: true")).analysis().parameters();
    assertThat(with - without).isEqualTo((2 * 3 + 1) * 64);
    assertThatThrownBy(() -> Jobs.job(gpt.formatted(", norm: rmsnorm, norm_bias: true")).analysis())
        .hasMessageContaining("model.norm_bias: does not apply to model.norm: rmsnorm");
  }

  /**
   * A public measurement of GPT-3 5B under NeMo's FSDP on 8 ranks (arXiv 2511.10480, Table VII).
   */
  @Test
  void nemosFsdpGathersItsRootUnitOnce() {
    Analysis.OfClass rank =
        Jobs.job(
                "{model: gpt-3-5b, framework: nemo, mesh: {dp: 8}, training: {global_batch: 128,"
                    + " seq: 2048, zero: 3}}")
            .analysis()
            .classes()
            .get(0);
    assertThat(millions(Jobs.elements(rank, "all-gather", "dp"))).isEqualTo("19761.349");
    assertThat(millions(Jobs.elements(rank, "reduce-scatter", "dp"))).isEqualTo("80760.930");
  }

  private static String millions(long elements) {
    return String.format(Locale.ROOT, "%.3f", elements / 1e6);
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, '', 1, 2, 1",
    "nemo, '', 1, 2, 1",
    "torchtitan, '', 2, 2, 1",
    "torchtitan, ', zero_regather: all', 2, 2, 2",
    "megatron, ', zero_regather: none', 1, 1, 1",
    "torchtitan, ', zero_regather: layers', 1, 2, 1"
  })
  void fsdpGathersAgainWhatTheFrameworkDoes(
      String framework, String more, long embedding, long layers, long head) {
    long table = 128256L * 4096;
    long layer = 2 * 4096L * 4096 + 2 * 4096L * 1024 + 3 * 4096L * 14336 + 2 * 4096;
    Analysis.OfClass rank = first(framework, "dp: 8", ", vocab_multiple: 1, zero: 3" + more);
    assertThat(Jobs.elements(rank, "all-gather", "dp"))
        .isEqualTo(16 * (embedding * table + layers * L * layer + head * (table + 4096)) / 8);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 0", "1, 1, 1", "2, 1, 2"})
  void anEmbeddingThatIsGatheredAgainStaysOnlyWhileItIsInUse(
      int ahead, long tables, long layersBesides) {
    long table = 128256L * 4096;
    long layer = 2 * 4096L * 4096 + 2 * 4096L * 1024 + 3 * 4096L * 14336 + 2 * 4096;
    String more = ", vocab_multiple: 1, zero: 3, prefetch: " + ahead;
    long torchtitan = first("torchtitan", "dp: 8", more).memory().workspace();
    long megatron = first("megatron", "dp: 8", more).memory().workspace();
    // Megatron holds embedding and head, and 1 + prefetch layers; torchtitan the head, and the
    // embedding with the layers ahead of it. 2 bytes an element.
    assertThat(megatron - torchtitan)
        .isEqualTo(2 * (table + (1 + ahead) * layer - (tables * table + layersBesides * layer)));
  }

  private static StateSharding sharding(String framework, String mesh, String more) {
    return Jobs.spec(LLAMA.formatted(framework, mesh, more)).training().sharding();
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, 'dp: 2', 1, AT_END, false",
    "megatron, 'dp: 2', 3, FIRST_STAGE_AT_ONCE, true",
    "nemo, 'dp: 2', 0, AT_END, false",
    "megatron-bridge, 'dp: 2', 1, FIRST_STAGE_AT_ONCE, true",
    "megatron-bridge, 'tp: 2', 0, AT_END, false",
    "torchtitan, 'dp: 2', 0, AT_ONCE, true",
    "deepspeed, 'dp: 2', 1, AT_END, false",
    "deepspeed, 'dp: 2', 2, AT_END, false",
    "deepspeed, 'dp: 2', 3, AT_ONCE, true"
  })
  void replicasExchangeBesidePassesIfTheFrameworkDoes(
      String framework, String mesh, int zero, When when, boolean parameters) {
    StateSharding sharding = sharding(framework, mesh, ", zero: " + zero);
    assertThat(sharding.gradients().when()).isEqualTo(when);
    assertThat(sharding.parameters().overlaps()).isEqualTo(parameters);
    StateSharding told =
        sharding(
            framework,
            mesh,
            ", zero: %d, overlap_gradients: false, overlap_parameters: %s"
                .formatted(zero, !parameters));
    assertThat(told.gradients().when()).isEqualTo(When.AT_END);
    assertThat(told.parameters().overlaps()).isEqualTo(!parameters);
  }

  @ParameterizedTest
  @CsvSource({
    "megatron, 'dp: 2', ', zero: 1', 0",
    "megatron, 'dp: 2', ', zero: 1, overlap_gradients: true', 40000000",
    "megatron, 'dp: 64', ', zero: 1, overlap_gradients: true', 64000000",
    "megatron, 'dp: 2', ', overlap_gradients: true, bucket_mb: none', 0",
    "megatron-bridge, 'dp: 2', '', 134217728",
    "torchtitan, 'dp: 2', '', 0",
    "deepspeed, 'dp: 2', ', zero: 1', 500000000",
    "deepspeed, 'dp: 2', ', zero: 1, bucket_mb: 4', 1000000"
  })
  void aCollectiveOfGradientsIsAsLargeAsTheFrameworksBucket(
      String framework, String mesh, String more, long elements) {
    assertThat(sharding(framework, mesh, more).gradients().bucket()).isEqualTo(elements);
  }

  /** In every micro-batch, 64 of them; each all-reduce of all parameters, of 4 bytes. */
  @Test
  void deepspeedReducesGradientsWholeOfWhichItKeepsAShard() {
    Analysis.OfClass rank = first("deepspeed", "dp: 2", ", zero: 2");
    assertThat(Jobs.elements(rank, "all-reduce", "dp")).isEqualTo(64 * 8_030_261_248L);
    assertThat(Jobs.count(rank, "reduce-scatter", "dp")).isZero();
    Analysis.OfClass scattered =
        first("deepspeed", "dp: 2", ", zero: 2, zero_reduction: reduce-scatter");
    assertThat(Jobs.elements(scattered, "reduce-scatter", "dp")).isEqualTo(64 * 8_030_261_248L);
  }

  /** Two norms a layer and the last one, of 4096 elements each, once a step. */
  @Test
  void deepspeedKeepsSmallParametersWhole() {
    long table = 128256L * 4096;
    long layer = 2 * 4096L * 4096 + 2 * 4096L * 1024 + 3 * 4096L * 14336;
    Analysis.OfClass rank = first("deepspeed", "dp: 8", ", zero: 3");
    assertThat(Jobs.elements(rank, "all-gather", "dp"))
        .isEqualTo((16 * (2 * table + 2 * L * layer + table) + (2 * L + 1) * 4096) / 8);
    long all = first("deepspeed", "dp: 8", ", zero: 3, zero_persistent: 0").memory().parameters();
    // 2 bytes an element, but for the eighth that a rank has anyway.
    assertThat(rank.memory().parameters() - all).isEqualTo(2 * (2 * L + 1) * (4096 - 4096 / 8));
  }

  @ParameterizedTest
  @CsvSource({"megatron, OVERLAP", "nemo, OVERLAP", "torchtitan, INLINE", "deepspeed, INLINE"})
  void gradientsOfWeightsStandWhereTheFrameworkHasThem(String framework, WeightGradients where) {
    assertThat(Jobs.spec(LLAMA.formatted(framework, "tp: 2", "")).strategy().tensor())
        .extracting(TensorParallelism::weightGradients)
        .isEqualTo(where);
  }
}
