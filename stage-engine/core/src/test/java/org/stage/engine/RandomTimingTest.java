package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

/** No job ever stands still, in whatever order the devices happen to run. */
class RandomTimingTest {
  static Stream<String> jobs() {
    // Larger clusters are the same in more places.
    return SeededJobs.some(120).filter(job -> Jobs.spec(job).mesh().devices() <= 64);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void everyRankEndsUnderAnyTimingWithOneCommunicationAtATime(String job) {
    for (int seed = 0; seed < 2; seed++) {
      TimedCluster cluster = new TimedCluster(Jobs.job(job).workload(), seed);
      cluster.run();
      assertThat(cluster.standing()).isEmpty();
    }
  }

  @Test
  void jobsThatLieBetweenOneAnotherDoNotStandInEachOthersWay() {
    String tiny =
        """
        model: {preset: llama-3.2-1b, layers: 2}
        training: {global_batch: 4, seq: 128}
        """;
    Workload pipeline = Jobs.job(tiny, "mesh.tp=2", "mesh.pp=2").workload();
    Workload data = Jobs.job(tiny, "mesh.dp=2").workload();
    List<RankClass> classes = new ArrayList<>();
    classes.addAll(placed(pipeline, "1-2,4-5"));
    classes.addAll(placed(data, "0,3"));
    Workload both =
        new Workload(
            "both", "m", Mesh.ofDevices(6), data.precision(), Optional.empty(), List.of(), classes);
    for (int seed = 0; seed < 3; seed++) {
      TimedCluster cluster = new TimedCluster(both, seed);
      cluster.run();
      assertThat(cluster.standing()).isEmpty();
    }
  }

  private static List<RankClass> placed(Workload job, String ranks) {
    JobMesh mesh = new JobMesh("of " + ranks, job.mesh(), RankSet.parse(ranks));
    return job.classes().stream().map(each -> each.withRanks(at(mesh, each)).ofJob(mesh)).toList();
  }

  private static RankSet at(JobMesh mesh, RankClass each) {
    return RankSet.of(each.ranks().stream().map(mesh.ranks()::get));
  }

  @Test
  void ranksThatEachSendBeforeTheyReceiveStandStill() {
    Workload workload =
        ExecutionTextParser.parseWorkload(
            """
            workload crossed
            model m
            mesh pp=2
            precision weights=bf16 activations=bf16 gradients=fp32
            class stage=0 ranks=0
            0 send mine forward 1xbf16 to pp:+1 tag=0
            1 compute after forward gelu deps=0
            2 recv theirs forward 1xbf16 from pp:+1 tag=1 ctrl=1
            class stage=1 ranks=1
            0 send mine forward 1xbf16 to pp:-1 tag=1
            1 compute after forward gelu deps=0
            2 recv theirs forward 1xbf16 from pp:-1 tag=0 ctrl=1
            """);
    TimedCluster cluster = new TimedCluster(workload, 1);
    cluster.run();
    assertThat(cluster.standing()).containsExactly("0: mine", "1: mine");
  }
}
