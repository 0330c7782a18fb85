package org.stage.backend.dot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.testkit.TestExport;
import org.stage.testkit.text.ExecutionTextParser;

class DotExporterTest {
  private static final String STAGES =
      """
      class stage=0 ranks=0-1
      0 compute mb0.layers.0.mlp.up forward einsum shape=1x64x16x8 flops=16384
      1 compute mb0.layers.0.mlp.down forward einsum shape=1x64x8x16 flops=16384 deps=0
      2 reduce-scatter mb0.layers.0.mlp.y forward 1024xbf16 over tp:2 deps=1
      3 compute mb0.layers.0.norm.norm forward rms_norm other=1024 deps=2
      4 send mb0.send.forward forward 1024xbf16 to pp:+1 tag=0 deps=3
      5 compute mb1.layers.0.mlp.up forward einsum shape=1x64x16x8 flops=16384
      6 compute mb1.layers.0.mlp.down forward einsum shape=1x64x8x16 flops=16384 deps=5
      7 reduce-scatter mb1.layers.0.mlp.y forward 1024xbf16 over tp:2 deps=6
      8 compute mb1.layers.0.norm.norm forward rms_norm other=1024 deps=7
      9 send mb1.send.forward forward 1024xbf16 to pp:+1 tag=1 deps=8
      class stage=1 ranks=2-3
      0 recv mb0.recv.forward forward 1024xbf16 from pp:-1 tag=0
      1 compute mb0.head.logits forward einsum flops=16384 deps=0
      2 recv mb1.recv.forward forward 1024xbf16 from pp:-1 tag=1 ctrl=1
      3 compute mb1.head.logits forward einsum flops=16384 deps=2
      """;

  @TempDir Path directory;

  @Test
  void boxesAreModulesOverAllMicroBatches() throws IOException {
    ExportReport report = export(job(STAGES), Map.of());
    assertThat(lines("rank0.dot"))
        .contains(
            "  n0 [label=\"layers.0.mlp\\nforward\\n4 x, 65.5 kFLOP\"]",
            "  n1 [label=\"layers.0.mlp\\nforward\\nreduce-scatter tp\\n2 x, 4.10 kB\", fillcolor=\"#a6cee3\"]",
            "  n2 [label=\"layers.0.norm\\nforward\\n2 x, 2.05 kFLOP\"]",
            "  n3 [label=\"send.forward\\nforward\\nsend to pp:+1\\n2 x, 4.10 kB\", fillcolor=\"#fdbf6f\"]")
        .noneMatch(line -> line.contains("n0 -> n0"));
    assertThat(report.nodes()).isEqualTo(10);
    assertThat(report.notes()).isEmpty();
    assertThat(report.losses())
        .extracting(Diagnostic::toString)
        .containsExactly(
            "the drawing shows what ranks 0-1 do, and not what others do."
                + " Draw another by the option rank.");
  }

  @Test
  void edgesSayHowManyDependenciesTheyStandFor() throws IOException {
    export(job(STAGES), Map.of());
    assertThat(lines("rank0.dot"))
        .contains("  n0 -> n1 [headlabel=\"2\", weight=\"2\", penwidth=\"1.3\"]");
  }

  @Test
  void boxesCanBeLayers() throws IOException {
    export(job(STAGES), Map.of("fold", "layer"));
    assertThat(lines("rank0.dot"))
        .contains("  n0 [label=\"layers.0\\nforward\\n6 x, 67.6 kFLOP\"]")
        // upwards: the norm of the layer follows its reduce-scatter
        .contains(
            "  n1 -> n0 [headlabel=\"2\", weight=\"2\", penwidth=\"1.3\", constraint=\"false\"]");
  }

  @Test
  void boxesCanBeNodes() throws IOException {
    export(job(STAGES), Map.of("fold", "none"));
    assertThat(lines("rank0.dot"))
        .contains(
            "  n0 [label=\"mb0.layers.0.mlp.up\\nforward\\neinsum 1x64x16x8\\n16.4 kFLOP\"]",
            "  n0 -> n1",
            "  n8 -> n9");
  }

  @Test
  void anyRankCanBeDrawn() throws IOException {
    export(job(STAGES), Map.of("rank", "3"));
    assertThat(lines("rank3.dot"))
        .contains(
            "  n0 [label=\"recv.forward\\nforward\\nreceive from pp:-1\\n2 x, 4.10 kB\", fillcolor=\"#fdbf6f\"]",
            "  n1 -> n0 [style=\"dashed\", constraint=\"false\"]");
  }

  @Test
  void aRankThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> export(job(STAGES), Map.of("rank", "4")))
        .isInstanceOf(InputException.class)
        .hasMessage("dot: rank: 4 is not from 0 to 3. Choose another.");
  }

  @Test
  void aGraphOfTooManyBoxesIsCutWithAWarning() throws IOException {
    ExportReport report = export(job(STAGES), Map.of("fold", "none", "most", "3"));
    assertThat(report.losses())
        .extracting(Diagnostic::toString)
        .contains(
            "the graph would have 10 boxes: only the first 3 are drawn."
                + " Fold more (`fold: layer`), or raise `most`.");
    assertThat(report.nodes()).isEqualTo(3);
    assertThat(lines("rank0.dot"))
        .contains("  n1 -> n2")
        .noneMatch(line -> line.matches(".*n[4-9].*"));
  }

  @Test
  void theColoursAreExplained() throws IOException {
    export(job(STAGES), Map.of());
    assertThat(lines("rank0.dot"))
        .containsSubsequence(
            "  subgraph cluster_frame {",
            "    label=\"communication along\"",
            "    n4 [label=\"tp\", fillcolor=\"#a6cee3\"]",
            "    n5 [label=\"pp\", fillcolor=\"#fdbf6f\"]",
            "  }",
            "}");
  }

  @Test
  void aJobWhoseRanksAreAlikeLosesNothing() throws IOException {
    Workload job = job("class stage=0 ranks=0-3 slowdown=1.5\n0 compute a forward add other=5\n");
    assertThat(export(job, Map.of()).losses()).isEmpty();
    assertThat(lines("rank0.dot")).anyMatch(line -> line.contains("stage 0, slower by 1.5"));
  }

  @Test
  void workOfTheHostAndTransfersToMemoryHaveTheirWords() throws IOException {
    export(
        job(
            """
            class stage=0 ranks=0-3
            0 host-compute a forward "aten::mm"
            1 memory-load b forward 64 deps=0
            2 memory-store c forward 32 deps=1
            3 marker d forward METADATA_NODE deps=2
            """),
        Map.of("fold", "none"));
    assertThat(lines("rank0.dot"))
        .contains(
            "  n0 [label=\"a\\nforward\\nhost: aten::mm\\n0 FLOP\"]",
            "  n1 [label=\"b\\nforward\\nload from memory outside\\n64 B\"]",
            "  n2 [label=\"c\\nforward\\nstore to memory outside\\n32 B\"]",
            "  n3 [label=\"d\\nforward\\nmarker: METADATA_NODE\\n0 FLOP\"]");
  }

  @Test
  void namesOfAnyCharactersAreKept() throws IOException {
    export(
        job("class stage=0 ranks=0-3\n0 compute \"a \\\"b\\\" \\\\N\" forward add other=5\n"),
        Map.of("fold", "none"));
    assertThat(lines("rank0.dot"))
        .contains("  n0 [label=\"a \\\"b\\\" \\\\N\\nforward\\nadd\\n5 FLOP\"]");
  }

  @Test
  void theSameJobGivesTheSameBytes() throws IOException {
    export(job(STAGES), Map.of());
    byte[] first = Files.readAllBytes(directory.resolve("rank0.dot"));
    export(job(STAGES), Map.of());
    assertThat(Files.readAllBytes(directory.resolve("rank0.dot"))).isEqualTo(first);
  }

  @Test
  void sizesHaveThreeDigits() {
    assertThat(Painter.si(0, "FLOP")).isEqualTo("0 FLOP");
    assertThat(Painter.si(999, "B")).isEqualTo("999 B");
    assertThat(Painter.si(1000, "B")).isEqualTo("1.00 kB");
    assertThat(Painter.si(999_949, "B")).isEqualTo("1.00 MB");
    assertThat(Painter.si(12_345_678, "B")).isEqualTo("12.3 MB");
    assertThat(Painter.si(1e21, "FLOP")).isEqualTo("1000 EFLOP");
  }

  private static Workload job(String classes) {
    String mesh = classes.contains("stage=1") ? "tp=2 pp=2" : "tp=4";
    return ExecutionTextParser.parseWorkload(
        """
        workload w
        model tiny
        mesh %s
        precision weights=bf16 activations=bf16 gradients=fp32
        """
                .formatted(mesh)
            + classes);
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  private ExportReport export(Workload workload, Map<String, String> options) throws IOException {
    return TestExport.of(new DotExporter()).options(options).run(workload, directory);
  }
}
