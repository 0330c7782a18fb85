package org.stage.backend.scalesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.backend.scalesim.Exports.export;
import static org.stage.backend.scalesim.Exports.job;
import static org.stage.backend.scalesim.Exports.jobOn;
import static org.stage.backend.scalesim.Exports.rows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Progress;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

final class ScaleSimExporterTest {
  private static final String UP =
      "0 compute mb0.layers.0.mlp.up forward einsum shape=1x8x32x16 flops=8192";
  private static final String V5E = "hardware tpu-v5e memory=16.0 bandwidth=819.0 bf16=197.0\n";

  @TempDir Path directory;

  @Test
  void equalShapesAreOneRowAndTheSideFileCountsThem() throws IOException {
    export(
        job(
            UP,
            "1 compute mb0.layers.1.mlp.up forward einsum shape=1x8x32x16 flops=8192",
            "2 compute mb1.layers.0.mlp.up forward einsum shape=1x8x32x16 flops=8192",
            "3 compute mb0.head.logits forward einsum shape=1x8x32x16 flops=8192",
            "4 compute mb0.layers.1.mlp.down forward einsum shape=1x8x16x32 flops=8192"),
        directory,
        "preset",
        "none");

    // ws on 128 x 128: one fold of 8 + 256 + 126 cycles
    assertThat(directory.resolve("w.rank0.csv"))
        .hasContent("Layer, M, N, K,\nlayers_mlp_up, 8, 32, 16,\nlayers_mlp_down, 8, 16, 32,");
    assertThat(directory.resolve("w.rank0.repeats.csv"))
        .hasContent(
            """
            row,rows,layer,M,N,K,count,phase,operator,product,of,per_kernel,flops,cycles,elapsed_cycles
            0,1,layers.mlp.up,8,32,16,3,forward,einsum,,whole,1,24576,389,1167
            0,1,head.logits,8,32,16,1,forward,einsum,,whole,1,8192,389,389
            1,1,layers.mlp.down,8,16,32,1,forward,einsum,,whole,1,8192,389,389""");
  }

  @Test
  void attentionIsTwoProductsAHeadAndItsGradientFive() throws IOException {
    export(
        job(
            "0 compute mb0.layers.0.core forward attention shape=4x10x20x6 flops=19200 other=4000",
            "1 compute mb0.layers.0.core.grad backward attention_grad shape=4x10x20x6 flops=48000"),
        directory);

    assertThat(side("w"))
        .containsExactly(
            "0,10,20,6,4,forward,scores,head",
            "1,10,6,20,4,forward,values,head",
            "0,10,20,6,4,backward,scores,head",
            "2,20,6,10,4,backward,values_grad,head",
            "0,10,20,6,4,backward,scores_grad,head",
            "1,10,6,20,4,backward,queries_grad,head",
            "2,20,6,10,4,backward,keys_grad,head");
    assertThat(report()).contains("\"row_flops\" : 67200", "\"matrix_flops\" : 67200");
  }

  @Test
  void valuesMayBeNarrowerThanKeys() throws IOException {
    export(
        job(
            "0 compute mb0.core forward attention shape=4x10x20x6/5 flops=17600",
            "1 compute mb0.core.grad backward attention_grad shape=4x10x20x6/5 flops=44800"),
        directory);

    assertThat(side("w"))
        .containsExactly(
            "0,10,20,6,4,forward,scores,head",
            "1,10,5,20,4,forward,values,head",
            "0,10,20,6,4,backward,scores,head",
            "2,20,5,10,4,backward,values_grad,head",
            "3,10,20,5,4,backward,scores_grad,head",
            "4,10,6,20,4,backward,queries_grad,head",
            "5,20,6,10,4,backward,keys_grad,head");
    assertThat(report()).contains("\"row_flops\" : 62400", "\"matrix_flops\" : 62400");
  }

  @Test
  void groupedProductsAreCountedForEachExpert() throws IOException {
    export(
        job("0 compute mb0.layers.0.moe.experts.up forward einsum shape=8x12x64x32 flops=393216"),
        directory);

    assertThat(side("w")).containsExactly("0,12,64,32,8,forward,,expert");
  }

  @Test
  void causalAttentionIsFullInTheRowsAndTheDifferenceIsSaid() throws IOException {
    ExportReport report =
        export(job("0 compute mb0.core forward attention shape=1x10x10x5 flops=1000"), directory);

    assertThat(notes(report)).anyMatch(note -> note.contains("1000 FLOPs more"));
    assertThat(report()).contains("\"excess_flops\" : 1000", "\"row_flops\" : 2000");
  }

  @Test
  void whatIsNoProductIsListedWithItsShare() throws IOException {
    Workload workload =
        ExecutionTextParser.parseWorkload(
            """
            workload w
            model tiny
            mesh tp=2 pp=2
            precision weights=bf16 activations=bf16 gradients=fp32
            class stage=0 ranks=0-1
            0 compute mb0.layers.0.mlp.up forward einsum shape=1x8x32x16 flops=8192
            1 compute mb0.layers.0.norm forward rms_norm other=1000 read=64 written=32 deps=0
            2 all-gather mb0.gather forward 100xbf16 over tp:2 deps=1
            3 compute mb0.odd forward scan flops=808 deps=2
            4 send mb0.send forward 50xbf16 to pp:+1 deps=3
            class stage=1 ranks=2-3
            0 recv mb0.recv forward 50xbf16 from pp:-1
            1 compute mb0.layers.0.mlp.up forward einsum shape=1x8x32x16 flops=8192 deps=0
            """);

    ExportReport report = export(workload, directory);

    assertThat(report.nodes()).isEqualTo(4);
    assertThat(notes(report))
        .anyMatch(note -> note.startsWith("18.08 % of the FLOPs of a rank are in no row"));
    assertThat(report())
        .contains(
            "\"share_not_in_rows\" : 0.1808",
            """
            "what" : "rms_norm",
                  "nodes" : 1,
                  "matrix_flops" : 0,
                  "other_flops" : 1000,
                  "share" : 0.1,
                  "bytes" : 96
            """
                .strip(),
            """
            "what" : "scan",
                  "nodes" : 1,
                  "matrix_flops" : 808,
            """
                .strip(),
            """
            "what" : "all-gather",
                  "nodes" : 1,
                  "matrix_flops" : 0,
                  "other_flops" : 0,
                  "share" : 0.0,
                  "bytes" : 200
            """
                .strip(),
            "\"what\" : \"send\"",
            "\"what\" : \"recv\"");
  }

  @Test
  void expandingWritesARowForEveryInstance() throws IOException {
    export(
        job(UP, "1 compute mb0.a.scores forward einsum shape=2x4x4x4 flops=256"),
        directory,
        "expand",
        "true");

    assertThat(rows(directory, "w.rank0.csv"))
        .containsExactly(
            "layers_mlp_up-1, 8, 32, 16,", "a_scores-1, 4, 4, 4,", "a_scores-2, 4, 4, 4,");
    assertThat(rows(directory, "w.rank0.repeats.csv"))
        .anyMatch(line -> line.startsWith("1,2,a.scores,4,4,4,2,"));
  }

  @Test
  void moreInstancesThanAnybodyCanSimulateAreRefused() {
    Workload workload = job("0 compute mb0.a forward einsum shape=1000001x1x1x1 flops=2000002");

    assertThatThrownBy(() -> export(workload, directory, "expand", "true"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("more than 1000000 products");
  }

  @ParameterizedTest
  @CsvSource({
    // 32 columns over 5 arrays: two have 7, three have 6
    "n, 5, '8x7x16 2, 8x6x16 3'",
    "m, 4, '2x32x16 4'",
    // 8 rows over 16 arrays: eight have one, the others nothing
    "m, 16, '1x32x16 8'",
    "n, 1, '8x32x16 1'",
  })
  void aProductIsCutOverArraysWithItsRemainder(String split, String arrays, String expected)
      throws IOException {
    export(job(UP), directory, "arrays", arrays, "split", split);

    assertThat(
            side("w").stream()
                .map(line -> line.split(","))
                .map(cell -> cell[1] + "x" + cell[2] + "x" + cell[3] + " " + cell[4]))
        .containsExactly(expected.split(", "));
    assertThat(report()).contains("\"row_flops\" : 8192");
    assertThat(flopsOfSide()).isEqualTo(8192);
  }

  @Test
  void headsAreDealtToArraysWholeAndTheBusiestCounts() throws IOException {
    export(
        job("0 compute mb0.core forward attention shape=5x16x16x8 flops=40960"),
        directory,
        "arrays",
        "2",
        "preset",
        "none");

    // 5 heads on 2 arrays: one has 3, each 16 + 256 + 126 - 1 = 397 cycles
    assertThat(rows(directory, "w.rank0.repeats.csv"))
        .containsExactly(
            "0,1,core,16,16,8,5,forward,attention,scores,head,5,20480,397,1191",
            "1,1,core,16,8,16,5,forward,attention,values,head,5,20480,397,1191");
  }

  @Test
  void theHardwareOfTheWorkloadGivesArraysAndClock() throws IOException {
    ExportReport report = export(jobOn(V5E, UP), directory);

    assertThat(report())
        .contains("\"preset\" : \"tpu-v5e\"", "\"arrays\" : 4", "\"clock_mhz\" : 1500.0")
        // 8 columns of 32 on each of 4 arrays: 389 cycles of 1.5 GHz
        .contains("\"elapsed_cycles\" : 389", "\"elapsed_seconds\" : 2.59333");
    assertThat(notes(report)).noneMatch(note -> note.contains("matrix units"));
    assertThat(Files.readString(directory.resolve("w.cfg")))
        .contains("ArrayHeight: 128", "Dataflow: ws", "InterfaceBandwidth: CALC")
        // 8192 kB hold half as many words of 2 bytes
        .contains("IfmapSramSzkB: 4096", "OfmapSramSzkB: 2048");
  }

  @Test
  void optionsDescribeAnArrayInline() throws IOException {
    export(
        job(UP),
        directory,
        "height",
        "8",
        "width",
        "16",
        "dataflow",
        "os",
        "bandwidth",
        "40",
        "sram-kb",
        "64,32,2",
        "clock-mhz",
        "1000");

    assertThat(Files.readString(directory.resolve("w.cfg")))
        .contains("ArrayHeight: 8", "ArrayWidth: 16", "Dataflow: os", "InterfaceBandwidth: USER")
        .contains("\nBandwidth: 40", "IfmapSRAMBankBandwidth: 40", "IfmapSRAMBankNum: 1")
        .contains("IfmapSramSzkB: 32", "FilterSramSzkB: 16", "OfmapSramSzkB: 1");
    // os: 1 fold of M over 8 rows, 2 of N over 16 columns, 16 + 22 cycles each
    assertThat(report()).contains("\"elapsed_cycles\" : 75", "\"elapsed_seconds\" : 7.5E-8");
  }

  @ParameterizedTest
  @CsvSource({
    "height, -1, exports.scalesim.height",
    "width, 65537, exports.scalesim.width",
    "arrays, 1000000, exports.scalesim.arrays",
    "sram-kb, '1,2', exports.scalesim.sram-kb",
    "sram-kb, '0,1,2', exports.scalesim.sram-kb",
  })
  void anOptionOutOfRangeIsNamed(String option, String value, String named) {
    assertThatThrownBy(() -> export(job(UP), directory, option, value))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(named);
  }

  @Test
  void matricesKeepTheirAddressesApart() throws IOException {
    export(
        job("0 compute mb0.a forward einsum shape=1x100000x100000x4 flops=80000000000"), directory);

    // 10^10 elements of output, and it may not equal the spacing
    assertThat(Files.readString(directory.resolve("w.cfg")))
        .contains("FilterOffset: 100000000000", "OfmapOffset: 200000000000");
  }

  @Test
  void namesHoldNothingThatAReaderTakesForSomethingElse() throws IOException {
    export(
        job(
            "0 compute \"mb0.a,b #1\" forward einsum shape=1x1x1x1 flops=2",
            "1 compute 17 forward einsum shape=1x1x1x2 flops=4"),
        directory);

    assertThat(rows(directory, "w.rank0.csv"))
        .containsExactly("a_b__1, 1, 1, 1,", "layer, 1, 1, 2,");
    assertThat(rows(directory, "w.rank0.repeats.csv").get(0)).startsWith("0,1,a_b #1,1,1,1,");
  }

  @Test
  void onlyClassesOfTheRanksAskedForAreWritten() throws IOException {
    Workload workload =
        ExecutionTextParser.parseWorkload(
            """
            workload w
            model tiny
            mesh tp=2 pp=2
            precision weights=bf16 activations=bf16 gradients=fp32
            class stage=0 ranks=0-1
            %s
            class stage=1 ranks=2-3
            %s
            """
                .formatted(UP, UP));

    export(workload, directory, "3", new String[0]);

    assertThat(names())
        .containsExactly(
            "layout.csv", "run.sh", "totals.json", "w.cfg", "w.rank2.csv", "w.rank2.repeats.csv");
    assertThat(report()).contains("\"ranks\" : \"2-3\"");
  }

  @Test
  void theSameWorkloadGivesTheSameBytes() throws IOException {
    Workload workload = jobOn(V5E, UP, UP.replace("0 compute mb0", "1 compute mb7"));
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));

    export(workload, first);
    export(workload, second);

    try (Stream<Path> files = Files.list(first)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        assertThat(second.resolve(file.getFileName())).hasSameBinaryContentAs(file);
      }
    }
  }

  @Test
  void aTopologyWithoutRowsIsWarnedOf() throws IOException {
    ExportReport report = export(job("0 compute mb0.norm forward rms_norm other=8"), directory);

    assertThat(notes(report)).anyMatch(note -> note.contains("holds no product"));
  }

  @Test
  void aLargeProductIsSaidToBeTooMuchForTheSimulator() throws IOException {
    ExportReport report =
        export(
            job("0 compute mb0.a forward einsum shape=1x2048x2048x2048 flops=17179869184"),
            directory);

    assertThat(notes(report)).anyMatch(note -> note.contains("needs about 7 GB"));
  }

  @Test
  void sumsBeyond63BitsAreAnErrorAndNotANumber() {
    String shape = "shape=1x2147483648x2147483648x1";
    Workload workload =
        job(
            "0 compute mb0.a forward einsum " + shape + " flops=9223372036854775807",
            "1 compute mb0.b forward einsum " + shape + " flops=9223372036854775807");

    assertThatThrownBy(() -> export(workload, directory))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("63 bits");
  }

  @Test
  void aNameThatIsNoFileNameIsRefused() {
    Workload workload =
        ExecutionTextParser.parseWorkload(
            ExecutionText.print(job(UP)).replace("load w", "load \"a/b\""));

    assertThatThrownBy(() -> export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("a/b");
  }

  @Test
  void itsOwnValidatorFindsNothing() throws IOException {
    export(
        jobOn(V5E, UP, "1 compute mb0.core forward attention shape=5x16x17x8 flops=43520"),
        directory,
        "expand",
        "true",
        "bandwidth",
        "100");

    assertThat(new ScaleSimValidator().accepts(directory)).isTrue();
    assertThat(new ScaleSimValidator().validate(directory, Progress.NONE).diagnostics()).isEmpty();
  }

  /** Row, sizes, count, phase, product and unit of each line. */
  private List<String> side(String name) throws IOException {
    return rows(directory, name + ".rank0.repeats.csv").stream()
        .map(line -> line.split(",", -1))
        .map(
            cell ->
                String.join(
                    ",", cell[0], cell[3], cell[4], cell[5], cell[6], cell[7], cell[9], cell[10]))
        .toList();
  }

  private long flopsOfSide() throws IOException {
    return rows(directory, "w.rank0.repeats.csv").stream()
        .map(line -> line.split(",", -1))
        .mapToLong(
            cell ->
                2
                    * Arrays.stream(cell, 3, 7)
                        .mapToLong(Long::parseLong)
                        .reduce(1, Math::multiplyExact))
        .sum();
  }

  private String report() throws IOException {
    return Files.readString(directory.resolve("totals.json"));
  }

  private static List<String> notes(ExportReport report) {
    return Stream.concat(report.losses().stream(), report.notes().stream())
        .map(Diagnostic::toString)
        .toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
