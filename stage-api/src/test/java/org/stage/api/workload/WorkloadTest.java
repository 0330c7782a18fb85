package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Element;

class WorkloadTest {
  private static final Mesh MESH = new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("pp", 2)));
  private static final Precision PRECISION =
      new Precision(DataType.FP8, DataType.BF16, DataType.FP16);

  private static RankClass ranks(int stage, String ranks) {
    return new RankClass(
        stage, RankSet.parse(ranks), () -> new ExecutionGraph(List.of(), List.of()));
  }

  private static NetworkDimension ring(int size) {
    return new NetworkDimension(NetworkDimension.Topology.RING, size, 50, 500);
  }

  private static Workload workload(
      Mesh mesh, List<NetworkDimension> network, RankClass... classes) {
    return new Workload("w", "m", mesh, PRECISION, Optional.empty(), network, List.of(classes));
  }

  private static void assertRefused(Workload workload, String message) {
    assertThatThrownBy(workload::verify)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workload w: " + message);
  }

  @Test
  void classesThatHoldEachRankOnceAreLegal() {
    Workload workload =
        workload(MESH, List.of(ring(2), ring(2)), ranks(0, "0-1"), ranks(1, "2"), ranks(1, "3"));
    assertThatCode(workload::verify).doesNotThrowAnyException();
    Mesh one = new Mesh(List.of());
    assertThatCode(() -> workload(one, List.of(), ranks(0, "0")).verify())
        .doesNotThrowAnyException();
  }

  @Test
  void aRankInNoClassIsNamed() {
    assertRefused(
        workload(MESH, List.of(), ranks(0, "0"), ranks(1, "2-3")), "rank 1 is in no class");
    assertRefused(workload(MESH, List.of(), ranks(0, "0-1")), "rank 2 is in no class");
  }

  @Test
  void aRankInTwoClassesIsNamed() {
    assertRefused(
        workload(MESH, List.of(), ranks(0, "0-1"), ranks(0, "1")), "rank 1 is in two classes");
  }

  @Test
  void aRankBeyondTheMeshIsNamed() {
    assertRefused(
        workload(MESH, List.of(), ranks(0, "0-1"), ranks(1, "2-4")),
        "rank 4 is not on the mesh tp=2 pp=2");
  }

  @Test
  void aRankOfAnotherStageIsNamed() {
    assertRefused(
        workload(MESH, List.of(), ranks(0, "0-2")), "rank 2 of stage 1 is in a class of stage 0");
  }

  @Test
  void aNetworkOfAnotherSizeIsRefused() {
    assertRefused(
        workload(MESH, List.of(ring(2), ring(4)), ranks(0, "0-1"), ranks(1, "2-3")),
        "the network has 8 devices, the mesh tp=2 pp=2 has 4");
  }

  @Test
  void aGraphIsBuiltOnEachDemand() {
    AtomicInteger built = new AtomicInteger();
    RankClass ranks =
        new RankClass(
            0,
            RankSet.parse("0"),
            () -> {
              built.incrementAndGet();
              return new ExecutionGraph(List.of(), List.of());
            });
    assertThat(built).hasValue(0);
    assertThat(ranks.graph()).isNotSameAs(ranks.graph());
    assertThat(built).hasValue(2);
  }

  @Test
  void precisionGivesEachElementItsType() {
    assertThat(PRECISION.of(Element.WEIGHT)).isEqualTo(DataType.FP8);
    assertThat(PRECISION.of(Element.ACTIVATION)).isEqualTo(DataType.BF16);
    assertThat(PRECISION.of(Element.GRADIENT)).isEqualTo(DataType.FP16);
    assertThat(PRECISION.of(Element.STATISTIC)).isEqualTo(DataType.FP32);
    assertThat(PRECISION.of(Element.INDEX)).isEqualTo(DataType.INT64);
  }

  @Test
  void namesInFilesAreLowerCase() {
    assertThat(DataType.BF16.text()).isEqualTo("bf16");
    assertThat(Phase.RECOMPUTE.text()).isEqualTo("recompute");
    assertThat(Node.Collective.Kind.ALL_TO_ALL.text()).isEqualTo("all-to-all");
    assertThat(new MatrixShape(1, 8192, 4096, 1024)).hasToString("1x8192x4096x1024");
  }
}
