package org.stage.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.Costs;

class SimulationTest {
  @Test
  void twoStagesByHand() {
    Workload job = Jobs.twoStages();
    assertThat(Jobs.run(job, 0))
        .containsExactly("a0 0-2000", "s0 2000-3000", "a1 2000-4000", "s1 6000-7000");
    assertThat(Jobs.run(job, 1))
        .containsExactly("r0 2000-3000", "b0 3000-6000", "r1 6000-7000", "b1 7000-10000");
  }

  @Test
  void aCollectiveRunsBesideAKernelThatDoesNotNeedIt() {
    Workload job =
        Jobs.of(
            "tp=2",
            2,
            """
            class stage=0 ranks=0-1
            0 compute first forward einsum flops=1000000
            1 all-reduce sum forward 450xbf16 over tp:2 deps=0
            2 compute beside forward einsum flops=3000000
            3 compute needs forward einsum flops=1000000 deps=1
            """);
    // 2 steps of 450 bytes: 550 ns each
    assertThat(Jobs.run(job, 1))
        .containsExactly("first 0-1000", "sum 1000-2100", "beside 1000-4000", "needs 4000-5000");
  }

  @Test
  void aKernelWaitsForTheSlowestOfItsDependencies() {
    Workload job =
        Jobs.of(
            "tp=2",
            2,
            """
            class stage=0 ranks=0-1
            0 compute first forward einsum flops=1000000
            1 all-gather late forward 2450xbf16 over tp:2 deps=0
            2 compute early forward einsum flops=1000000
            3 compute both forward einsum flops=1000000 deps=1,2
            """);
    assertThat(Jobs.run(job, 0))
        .containsExactly("first 0-1000", "late 1000-6000", "early 1000-2000", "both 6000-7000");
  }

  @Test
  void communicationsOfARankGoOneAfterTheOther() {
    assertThat(Jobs.run(twoGroups(), 0))
        .containsExactly("first 0-1000", "tp 1000-2000", "dp 2000-3000");
  }

  @Test
  void orOnlyThoseOfOneGroupDo() {
    assertThat(Jobs.run(twoGroups(), 0, /* perGroup= */ true))
        .containsExactly("first 0-1000", "tp 1000-2000", "dp 1000-2000");
  }

  private static Workload twoGroups() {
    return Jobs.of(
        "tp=2 dp=2",
        4,
        """
        class stage=0 ranks=0-3
        0 compute first forward einsum flops=1000000
        1 all-gather tp forward 450xbf16 over tp:2 deps=0
        2 all-gather dp forward 450xbf16 over dp:2 deps=0
        """);
  }

  @Test
  void aCollectiveBeginsWhenTheLastMemberComesAndEndsOnAllTogether() {
    Workload job =
        Jobs.of(
            "tp=2 pp=3",
            6,
            """
            class stage=0 ranks=0-1
            0 compute quick backward einsum flops=1000000
            1 all-gather tied backward 450xbf16 over pp{0,2} deps=0
            class stage=1 ranks=2-3
            0 compute apart backward einsum flops=9000000
            class stage=2 ranks=4-5
            0 compute slow backward einsum flops=4000000
            1 all-gather tied backward 450xbf16 over pp{0,2} deps=0
            """);
    assertThat(Jobs.run(job, 0)).containsExactly("quick 0-1000", "tied 4000-5000");
    assertThat(Jobs.run(job, 5)).containsExactly("slow 0-4000", "tied 4000-5000");
  }

  @Test
  void aRingOfAlikeRanksPassesMessagesAround() {
    Workload job =
        Jobs.of(
            "cp=4",
            4,
            """
            class stage=0 ranks=0-3
            0 recv in forward 450xbf16 from cp:-1 tag=0
            1 compute own forward einsum flops=3000000
            2 send out forward 450xbf16 to cp:+1 tag=0
            3 compute other forward einsum flops=1000000 deps=0
            """);
    assertThat(Jobs.run(job, 2))
        .containsExactly("in 0-1000", "own 0-3000", "out 0-1000", "other 3000-4000");
  }

  @Test
  void withoutHardwareAKernelTakesAMicrosecond() {
    Workload job = Jobs.alone("0 compute only forward einsum flops=5000000\n");
    Costs costs = Costs.of(job, /* unit= */ true, /* free= */ false);
    CondensedGraph graph =
        new CondensedGraph(job.classes().get(0).graph(), job.jobs().get(0), costs, false);
    assertThat(graph.size(0)).isEqualTo(1_000_000);
  }

  @Test
  void oneRankOfEachSetIsAsGoodAsAll() {
    Workload job =
        Jobs.of(
            "tp=2 dp=2 pp=2",
            8,
            """
            class stage=0 ranks=0-3
            0 compute k0 forward einsum flops=2000000
            1 all-gather g0 forward 450xbf16 over tp:2 deps=0
            2 compute k1 forward einsum flops=1000000 deps=1
            3 send out forward 450xbf16 to pp:+1 tag=0 deps=2
            4 all-reduce norm backward 1xfp32 over tp:2+dp:2+pp:2 deps=2
            class stage=1 ranks=4-7
            0 recv in forward 450xbf16 from pp:-1 tag=0
            1 compute k0 forward einsum flops=2000000 deps=0
            2 all-reduce grad backward 450xfp32 over dp:2 deps=1
            3 all-reduce norm backward 1xfp32 over tp:2+dp:2+pp:2 deps=2
            """);
    assertThat(Jobs.sets(job)).containsExactly("0-3", "4-7");
    Workload apart = Jobs.apart(job);
    assertThat(Jobs.sets(apart)).hasSize(8);
    IntStream.range(0, 8)
        .forEach(rank -> assertThat(Jobs.run(apart, rank)).isEqualTo(Jobs.run(job, rank)));
  }

  @ParameterizedTest
  @CsvSource({"2,2", "2,8", "4,4", "4,8", "8,16", "4,1"})
  void equalCostsLeaveTheBubbleOfTextbooks(int stages, int microBatches) {
    int[] gpipe = IntStream.range(0, stages).map(stage -> microBatches).toArray();
    int[] oneForwardOneBackward = IntStream.range(0, stages).map(stage -> stages - stage).toArray();
    double bubble = (stages - 1.0) / (microBatches + stages - 1);
    for (int[] warmUp : new int[][] {gpipe, oneForwardOneBackward}) {
      Workload job = Jobs.pipeline(stages, microBatches, warmUp);
      Costs costs = Costs.of(job, /* unit= */ true, /* free= */ true);
      var graphs =
          job.classes().stream()
              .map(each -> new CondensedGraph(each.graph(), job.meshOf(each), costs, false))
              .toList();
      var times = Simulation.run(graphs, Partition.of(job, graphs, costs), costs);
      long step = times.stream().mapToLong(Times::last).max().orElseThrow();
      assertThat(step).isEqualTo(3_000_000L * (microBatches + stages - 1));
      for (int stage = 0; stage < stages; stage++) {
        Busy busy = Busy.of(graphs.get(stage), times.get(stage));
        assertThat((step - busy.compute()) / (double) step).isEqualTo(bubble);
      }
    }
  }

  @Test
  void aSlowRankDelaysItsGroupAndNobodyElse() {
    Workload job =
        Jobs.of(
            "tp=2 dp=2",
            4,
            """
            class stage=0 ranks=0-2
            0 compute work forward einsum flops=1000000
            1 all-reduce sum forward 450xbf16 over tp:2 deps=0
            class stage=0 ranks=3 slowdown=1.5
            0 compute work forward einsum flops=1000000
            1 all-reduce sum forward 450xbf16 over tp:2 deps=0
            """);

    assertThat(Jobs.sets(job)).containsExactly("0-1", "2", "3");
    assertThat(Jobs.run(job, 1)).containsExactly("work 0-1000", "sum 1000-2100");
    assertThat(Jobs.run(job, 2)).containsExactly("work 0-1000", "sum 1500-2600");
    assertThat(Jobs.run(job, 3)).containsExactly("work 0-1500", "sum 1500-2600");
  }

  @Test
  void aMeasuredTimeGoesBeforeTheRooflineAndGrowsWithTheSlowdown() {
    Workload job =
        Jobs.of(
            "dp=2",
            2,
            """
            class stage=0 ranks=0
            0 compute work forward einsum flops=1000000 duration=700
            class stage=0 ranks=1 slowdown=3
            0 compute work forward einsum flops=1000000 duration=700
            """);

    assertThat(Jobs.run(job, 0)).containsExactly("work 0-700");
    assertThat(Jobs.run(job, 1)).containsExactly("work 0-2100");
  }

  @Test
  void jobsSideBySideRunEachInItsOwnTime() {
    Workload jobs =
        Jobs.of(
            "devices=6",
            6,
            """
            job a ranks=0-1,4-5 tp=2 pp=2
            job b ranks=2-3 tp=2
            class stage=0 ranks=0-1 job=a
            0 compute work forward einsum flops=1000000
            1 send out forward 450xbf16 to pp:+1 tag=0 deps=0
            class stage=0 ranks=2-3 job=b
            0 compute work forward einsum flops=4000000
            1 all-reduce sum forward 450xbf16 over tp:2 deps=0
            class stage=1 ranks=4-5 job=a
            0 recv in forward 450xbf16 from pp:-1 tag=0
            1 all-reduce sum forward 450xbf16 over tp:2 deps=0
            """);

    assertThat(Jobs.sets(jobs)).containsExactly("0-1", "2-3", "4-5");
    assertThat(Jobs.run(jobs, 1)).containsExactly("work 0-1000", "out 1000-2000");
    assertThat(Jobs.run(jobs, 3)).containsExactly("work 0-4000", "sum 4000-5100");
    assertThat(Jobs.run(jobs, 5)).containsExactly("in 1000-2000", "sum 2000-3100");
  }

  @Test
  void ranksThatWaitForOneAnotherAreNamed() {
    Workload job =
        Jobs.of(
            "pp=2",
            2,
            """
            class stage=0 ranks=0
            0 recv a forward 8xbf16 from pp:+1 tag=0
            1 send b forward 8xbf16 to pp:+1 tag=1 deps=0
            class stage=1 ranks=1
            0 recv b forward 8xbf16 from pp:-1 tag=1
            1 send a forward 8xbf16 to pp:-1 tag=0 deps=0
            """);
    assertThatThrownBy(() -> Jobs.run(job, 0))
        .isInstanceOf(WorkException.class)
        .hasMessageStartingWith("rank 0: node 0 waits for ever for other ranks.");
  }
}
