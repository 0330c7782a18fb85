package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.job.Job;
import org.stage.job.NamePattern;
import org.stage.job.Optimizer;
import org.stage.job.Origin;
import org.stage.job.Strategy;
import org.stage.job.TensorParallelism.EmbeddingOutput;
import org.stage.job.Training;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.parallel.RuleCheck;
import org.stage.schedule.GPipe;
import org.stage.schedule.OneForwardOneBackward;
import org.stage.workloadfile.WorkloadFile.Export;

class WorkloadReaderTest {
  private static final String MINIMAL =
      "model: llama-3.1-8b\ntraining: {global_batch: 8, seq: 128}\n";

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("org.stage.workloadfile.WrongFile#all")
  void aWrongFileIsRefusedWithLineKeyValueAndRemedy(WrongFile wrong) {
    assertThat(wrong.expected()).isNotEmpty();
    assertThatThrownBy(() -> checked(wrong.text()))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContainingAll(wrong.expected().toArray(String[]::new))
        .message()
        .startsWith(folder.resolve("w.yaml").toString());
  }

  @Test
  void eachProblemIsReportedWholeWhatWasTypedLastFirst() {
    String text = "mesh: {tp: 0}\nmodel: x\nname: 3\n";
    String file = folder.resolve("w.yaml").toString();
    assertThatThrownBy(() -> read(text, "mesh.dp=x"))
        .message()
        .satisfies(
            message ->
                assertThat(message.lines().map(line -> line.replace(file, "w.yaml")))
                    .satisfiesExactly(
                        first -> assertThat(first).startsWith("--set mesh.dp: 'x' is not a whole"),
                        tp -> assertThat(tp).startsWith("w.yaml, line 1, mesh.tp: 0 is out of"),
                        model -> assertThat(model).startsWith("w.yaml, line 2, model: there is no"),
                        name -> assertThat(name).startsWith("w.yaml, line 3, name: 3 is not text"),
                        rest -> assertThat(rest).startsWith("w.yaml, training: is missing")));
  }

  @Test
  void aTypedKeyIsBlamedForWhatItMakesUnfit() {
    assertThatThrownBy(() -> read(MINIMAL, "mesh.dp=3"))
        .hasMessage(
            "--set mesh.dp: line 2, training.global_batch: 8 is not a multiple of mesh.dp x"
                + " training.micro_batch = 3 x 1. Nearest that are: 6, 9.");
    assertThatThrownBy(() -> read(MINIMAL, "model.kv_heads=5"))
        .hasMessageStartingWith("--set model.kv_heads: 5 does not divide model.heads 32.");
  }

  @Test
  void anItemOfAListIsSetByItsIndex() {
    String network =
        MINIMAL
            + "mesh: {dp: 8}\nhardware: h100\n"
            + "network: [{topology: ring, size: 4, gb_per_s: 1}, {topology: ring, size: 2, gb_per_s: 2}]";
    assertThat(read(network, "network[1].gb_per_s=25").platform().network())
        .extracting(NetworkDimension::gbPerS)
        .containsExactly(1.0, 25.0);
    assertThatThrownBy(() -> read(network, "network[2].gb_per_s=25"))
        .hasMessage(
            "--set network[2].gb_per_s: network is a list of 2. Items are counted from 0, so the"
                + " last one is network[1].");
    assertThatThrownBy(() -> read(network, "network.gb_per_s=25"))
        .hasMessageEndingWith("Say which item, from 0: network[0].gb_per_s.");
    assertThatThrownBy(() -> read(MINIMAL, "network[0].gb_per_s=25"))
        .hasMessageContaining("the file has no list network");
  }

  @Test
  void aPresetOfADeviceIsChangedByItsKeys() {
    Hardware changed =
        read(MINIMAL + "hardware: {preset: h100, memory_gb: 40}", "hardware.peak_tflops.bf16=500")
            .platform()
            .hardware()
            .orElseThrow();

    assertThat(changed.name()).isEqualTo("h100-changed");
    assertThat(changed.memoryGb()).isEqualTo(40);
    assertThat(changed.peakTflops()).containsEntry("bf16", 500.0).containsEntry("fp8", 1979.0);
    assertThat(changed.memoryGbPerS()).isEqualTo(3350);
    Job job = read(MINIMAL + "hardware: h100\nmesh: {dp: 8}", "hardware.memory_gb=40");
    assertThat(job.platform().hardware().orElseThrow().memoryGb()).isEqualTo(40);
    assertThat(job.platform().network()).isEqualTo(HardwarePresets.find("h100").network(8));
  }

  @Test
  void whatIsNotSaidIsMegatrons() {
    Job spec = read(MINIMAL);

    assertThat(spec.mesh().devices()).isEqualTo(1);
    assertThat(spec.training().batch().microBatches()).isEqualTo(8);
    assertThat(spec.training().numerics().precision().gradients()).isEqualTo(DataType.FP32);
    assertThat(spec.strategy().pipeline().schedule()).isEqualTo(new OneForwardOneBackward());
    assertThat(spec.strategy().tensor().embeddingOutput()).isEqualTo(EmbeddingOutput.ALL_REDUCE);
    assertThat(spec.training().kernels().flashAttention()).isTrue();
    assertThat(spec.strategy().tensor().paddedVocab()).isEqualTo(128256); // 1002 x 128
    assertThat(spec.platform().hardware()).isEmpty();
    assertThat(spec.platform().network()).isEmpty();
  }

  @Test
  void everyChoiceOfThisVersionIsTaken() {
    WorkloadFile file =
        file(
            """
            name: sweep-1
            model: gpt-3-5b
            mesh: {dp: 2, tp: 4, pp: 8, order: [pp, tp, dp]}
            framework: megatron
            training:
              global_batch: 64
              micro_batch: 4
              seq: 2048
              precision: fp16
              gradients: precision
              sequence_parallel: true
              schedule: gpipe
              layers_per_stage: [2, 4, 3, 3, 3, 3, 3, 3]
              attention: unfused
              attention_flops: causal
              optimizer: sgd
              vocab_multiple: 1
              embedding_output: reduce-scatter
            hardware: {peak_tflops: {fp16: 125.5}, memory_gb: 32, memory_gb_per_s: 900}
            network:
              - {topology: ring, size: 8, gb_per_s: 1.5e2, latency_ns: 700}
              - {topology: fully-connected, size: 8, gb_per_s: 12.5}
            exports: [chakra, {to: simai, gzip: true, level: 9}]
            profile: []
            rules: {}
            """);

    Job spec = file.job();
    assertThat(spec.name()).isEqualTo("sweep-1");
    assertThat(spec.mesh().axes())
        .containsExactly(new MeshAxis("pp", 8), new MeshAxis("tp", 4), new MeshAxis("dp", 2));
    Training training = spec.training();
    assertThat(training.batch().microBatches()).isEqualTo(8);
    assertThat(training.numerics().precision().gradients()).isEqualTo(DataType.FP16);
    assertThat(training.kernels().flashAttention()).isFalse();
    assertThat(training.kernels().causalFlops()).isTrue();
    assertThat(training.optimizer().kind()).isEqualTo(Optimizer.Kind.SGD);
    Strategy strategy = spec.strategy();
    assertThat(strategy.pipeline().schedule()).isEqualTo(new GPipe());
    assertThat(strategy.pipeline().layersPerStage()).containsExactly(2, 4, 3, 3, 3, 3, 3, 3);
    assertThat(strategy.tensor().paddedVocab()).isEqualTo(50260); // 12565 x 4
    assertThat(strategy.tensor().embeddingOutput()).isEqualTo(EmbeddingOutput.REDUCE_SCATTER);
    assertThat(spec.platform().hardware().orElseThrow().name()).isEqualTo("custom");
    assertThat(spec.platform().network())
        .containsExactly(
            new NetworkDimension(Topology.RING, 8, 150, 700),
            new NetworkDimension(Topology.FULLY_CONNECTED, 8, 12.5, 0));
    assertThat(file.exports())
        .containsExactly(
            new Export("chakra", Map.of()),
            new Export("simai", Map.of("gzip", "true", "level", "9")));
  }

  @Test
  void anAxisOfOneDeviceMayBeLeftOutOfTheOrder() {
    assertThat(read(MINIMAL, "mesh={dp: 2, tp: 4, order: [dp, tp]}").mesh().axes())
        .containsExactly(new MeshAxis("dp", 2), new MeshAxis("tp", 4), new MeshAxis("pp", 1));
  }

  @Test
  void aPresetMayBeChanged() {
    Job spec =
        read("model: {preset: llama-3.1-70b, layers: 12}\ntraining: {global_batch: 1, seq: 1}\n");

    assertThat(spec.model().layers()).isEqualTo(12);
    assertThat(spec.model().sizes()).containsEntry("embed", 8192L);
    assertThat(spec.model().name()).isEqualTo("llama-3.1-70b-changed");
  }

  @Test
  void aValueKnowsWhereItStandsAlsoIfAPresetOrTheCommandLineSaysIt() {
    Job job =
        read(
            """
            model: llama-3.1-8b
            mesh: {dp: 2}
            training:
              global_batch: 8
              seq: 128
            """,
            "mesh.tp=2");

    assertThat(job.origins().of("training.seq").line()).isEqualTo(5);
    assertThat(job.origins().of("model.layers").line()).isEqualTo(1);
    assertThat(job.origins().of("mesh.tp").isOption()).isTrue();
    assertThat(job.origins().of("mesh.pp").line()).isEqualTo(2);
  }

  @Test
  void profilesAreNamedAndNotOpened() throws IOException {
    Path profile = Files.writeString(folder.resolve("p.json"), "no profile");
    WorkloadFile file =
        file(MINIMAL + "profile: [{file: p.json, importer: kineto, only: layers.*, depth: 3}]\n");

    assertThat(file.profiles())
        .containsExactly(
            new ProfileFile(
                profile,
                "kineto",
                Map.of("depth", "3"),
                Optional.of(new NamePattern("layers.*")),
                new Origin(folder.resolve("w.yaml").toString(), 3, "profile[0].file")));
  }

  @Test
  void durationsSetByHandKeepTheirOrderAndPlace() {
    WorkloadFile file =
        file(MINIMAL + "inject:\n  '**': {duration_us: 1}\n  head: {duration_us: 2.5}\n");

    assertThat(file.durations())
        .extracting(each -> each.durationNs())
        .containsExactly(1000L, 2500L);
    assertThat(file.durations().get(1).origin().toString()).endsWith("line 5, inject.head");
  }

  @Test
  void aSmallGptHasItsFamilysConventions() {
    Job spec = read(MINIMAL, "model={family: gpt, layers: 2, hidden: 64, heads: 4, vocab: 100}");

    assertThat(spec.model().ffn()).isEqualTo(256);
    assertThat(spec.model().sizes()).containsEntry("head_dim", 16L);
    assertThat(spec.model().kvHeads()).isEqualTo(4);
    assertThat(spec.model().positions()).isEqualTo(2048);
    assertThat(spec.model().block(0).features())
        .contains("layer_norm_with_bias", "norm_bias", "bias", "qkv_bias")
        .isEqualTo(spec.model().ends().features());
    assertThat(spec.model().tied()).isTrue();
  }

  @Test
  void tensorParallelismMayExceedTheKeyValueHeads() {
    assertThat(read(MINIMAL, "mesh.tp=16").mesh().degree("tp")).isEqualTo(16);
  }

  @Test
  void jsonIsReadTooEvenWithTabs() throws IOException {
    Path file = folder.resolve("w.json");
    Files.writeString(
        file,
        "{\n\t\"model\": \"llama-3.1-8b\",\n\t\"training\": {\"global_batch\": 8, \"seq\": 128}\n}\n");
    assertThat(WorkloadReader.read(file, List.of())).isNotNull();

    assertThat(
            read(
                "{\"model\": \"llama-3.1-8b\", \"training\": {\"global_batch\": 8, \"seq\": 128}}"))
        .isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"model\": \"llama-3.1-8b\",\\n \"mesh\": {\"tp\": 6}, %s} | line 2, mesh.tp: 6 does not",
        "{\"model\": 1,\\n \"model\": 2} | line 2, model: stands twice; first in line 1",
        "{\"model\": NaN} | line 1: is not JSON",
        "{\"model\": \"llama-3.1-8b\"} {} | line 1: holds a second document",
        "{\"model\": \"llama-3.1-8b\", | is not JSON"
      })
  void aWrongJsonFileIsRefusedWithItsLine(String text, String expected) throws IOException {
    Path file = folder.resolve("w.json");
    String training = "\"training\": {\"global_batch\": 8, \"seq\": 128}";
    Files.writeString(file, text.replace("\\n", "\n").replace("%s", training));
    assertThatThrownBy(() -> WorkloadReader.read(file, List.of()))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void theCommandLineWinsOverTheFileAndTheLastOverTheFirst() {
    WorkloadFile file =
        file(
            MINIMAL,
            "mesh.tp=2",
            "mesh.tp=8",
            "training.precision=fp32",
            "model.layers=4",
            "exports=[{to: simai, gzip: true}]");
    Job spec = file.job();

    assertThat(spec.mesh().degree("tp")).isEqualTo(8);
    assertThat(spec.training().numerics().precision().weights()).isEqualTo(DataType.FP32);
    assertThat(spec.model().layers()).isEqualTo(4);
    assertThat(file.exports()).containsExactly(new Export("simai", Map.of("gzip", "true")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mesh.tp | --set: 'mesh.tp' is not KEY=VALUE. For example --set mesh.tp=8.",
        "=8 | is not KEY=VALUE",
        "mesh.tp= | --set mesh.tp: has no value",
        "mesh.tp=6 | --set mesh.tp: 6 does not divide 32 attention heads",
        "mesh.xp=6 | --set mesh.xp: there is no key 'xp' in mesh. Did you mean",
        "mesh..tp=6 | --set mesh.: there is no key '' in mesh",
        "mesh.tp=[6 | --set: is not YAML",
        "training.seq.x=1 | --set training.seq.x: training.seq is 128, which has no keys",
        "hardware.memory_gb=1 | --set hardware.peak_tflops: is missing",
        "model.heads=7 | --set model.heads: 7 does not divide model.hidden 4096",
      })
  void aWrongOverrideIsRefusedByItsKey(String override, String expected) {
    assertThatThrownBy(() -> read(MINIMAL, override))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aFileThatIsNoneIsRefused() throws IOException {
    refused(folder.resolve("none.yaml"), "there is no such file");
    refused(folder, "is a folder");
    refused(Files.writeString(folder.resolve("empty.yaml"), ""), "is empty");
    refused(bytes("nul.yaml", "model: a\nmesh: \0\n", StandardCharsets.UTF_8), "line 2: holds the");
    refused(bytes("latin.yaml", "a: b\nname: caf\u00e9\n", StandardCharsets.ISO_8859_1), "line 2");
    refused(bytes("wide.yaml", MINIMAL, StandardCharsets.UTF_16), "is not UTF-8");
    refused(Files.writeString(folder.resolve("long.yaml"), "a: " + "x".repeat(20_000)), "20000");
  }

  @Test
  void aGigabyteIsRefusedAtOnce() throws IOException {
    Path file = folder.resolve("huge.yaml");
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(1L << 30);
    }
    refused(file, "is larger than 1 MB");
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(read("\uFEFF" + MINIMAL)).isNotNull();
  }

  /** Rules are checked where the model's graph is known. */
  private void checked(String text) {
    Job job = read(text);
    RuleCheck.run(job, ModelGraph.of(job, ModuleLibrary.standard()), ModuleLibrary.standard());
  }

  private static void refused(Path file, String expected) {
    assertThatThrownBy(() -> WorkloadReader.read(file, List.of()))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(expected);
  }

  private Path bytes(String name, String text, Charset charset) throws IOException {
    return Files.write(folder.resolve(name), text.getBytes(charset));
  }

  private Job read(String text, String... overrides) {
    return file(text, overrides).job();
  }

  private WorkloadFile file(String text, String... overrides) {
    try {
      Path file = Files.writeString(folder.resolve("w.yaml"), text);
      return WorkloadReader.read(file, List.of(overrides));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
