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

  private static Workload twoJobs(RankClass... classes) {
    return workload(Mesh.ofDevices(6), List.of(ring(6)), classes);
  }

  private static final JobMesh FIRST = new JobMesh("a", MESH, RankSet.parse("0-3"));

  private static final JobMesh SECOND =
      new JobMesh("b", new Mesh(List.of(new MeshAxis("pp", 2))), RankSet.parse("4-5"));

  @Test
  void twoJobsSideBySideAreLegalAndEachClassHasTheMeshOfItsOwn() {
    Workload workload =
        twoJobs(
            ranks(0, "0-1").ofJob(FIRST),
            ranks(1, "2-3").ofJob(FIRST),
            ranks(0, "4").ofJob(SECOND),
            ranks(1, "5").ofJob(SECOND));

    assertThatCode(workload::verify).doesNotThrowAnyException();
    assertThat(workload.jobs()).containsExactly(FIRST, SECOND);
    assertThat(workload.meshOf(workload.classes().get(3))).isEqualTo(SECOND);
  }

  @Test
  void theOnlyJobLiesOnAllRanks() {
    Workload workload = workload(MESH, List.of(), ranks(0, "0-1"), ranks(1, "2-3"));
    JobMesh alone = new JobMesh("w", MESH, RankSet.parse("0-3"));

    assertThat(workload.jobs()).containsExactly(alone);
    assertThat(workload.meshOf(workload.classes().get(1))).isEqualTo(alone);
    assertThat(workload(new Mesh(List.of()), List.of()).jobs()).hasSize(1);
  }

  @Test
  void jobsThatDoNotFitTogetherAreRefused() {
    RankClass all = ranks(0, "0-1").ofJob(FIRST);
    RankClass rest = ranks(1, "2-3").ofJob(FIRST);
    assertRefused(twoJobs(all, rest), "its jobs have 4 devices, the mesh devices=6 has 6");
    JobMesh namesake = new JobMesh("a", SECOND.mesh(), SECOND.ranks());
    assertRefused(
        twoJobs(all, rest, ranks(0, "4").ofJob(namesake), ranks(1, "5").ofJob(namesake)),
        "two jobs are called a");
    assertRefused(twoJobs(all, rest, ranks(0, "3-4").ofJob(SECOND)), "rank 3 is in two classes");
    assertRefused(twoJobs(all, ranks(0, "2").ofJob(SECOND), rest), "rank 2 is not of job b");
    assertRefused(
        twoJobs(all, rest, ranks(0, "4-5").ofJob(SECOND)),
        "rank 5 of stage 1 is in a class of stage 0");
  }

  @Test
  void slownessMultipliesAndStaysWithTheClass() {
    RankClass slow = ranks(0, "0-1").slowedBy(1.5).slowedBy(2).ofJob(FIRST);

    assertThat(ranks(0, "0").slowdown()).isEqualTo(1);
    assertThat(slow.withRanks(RankSet.parse("1")).slowdown()).isEqualTo(3);
    assertThat(slow.withGraph(slow::graph).slowdown()).isEqualTo(3);
    assertThat(slow.job()).contains(FIRST);
    assertThatThrownBy(() -> slow.slowedBy(0)).hasMessage("a device cannot be slower by 0.0");
    assertThatThrownBy(() -> slow.slowedBy(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theScheduleStaysWithTheClass() {
    PipelineSchedule order = new PipelineSchedule("interleaved", 2);
    RankClass scheduled = ranks(0, "0-1").scheduled(order);

    assertThat(ranks(0, "0").schedule()).isEmpty();
    assertThat(scheduled.withRanks(RankSet.parse("1")).schedule()).contains(order);
    assertThat(scheduled.withGraph(scheduled::graph).schedule()).contains(order);
    assertThat(scheduled.slowedBy(2).ofJob(FIRST).schedule()).contains(order);
    assertThatThrownBy(() -> new PipelineSchedule("1f1b", 0))
        .hasMessage("a schedule of 0 virtual stages");
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
