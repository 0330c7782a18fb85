package org.stage.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

class PartitionTest {
  /** Nodes of 3 devices: the middle one of three pairs is in two nodes. */
  private static Workload unevenly(String more) {
    return ExecutionTextParser.parseWorkload(
        """
        workload w
        model tiny
        mesh tp=2 dp=3
        precision weights=bf16 activations=bf16 gradients=fp32
        network switch size=3 gbps=100.0 ns=100.0
        network switch size=2 gbps=1.0 ns=100.0
        class stage=0 ranks=0-5
        0 all-gather pair forward 450xbf16 over tp:2
        """
            + more);
  }

  @Test
  void aPairAcrossTwoNodesIsSlowerThanOneInsideANode() {
    Workload job = unevenly("");
    assertThat(Jobs.sets(job)).containsExactly("0-1,4-5", "2-3");
    assertThat(Jobs.run(job, 0)).containsExactly("pair 0-109");
    assertThat(Jobs.run(job, 5)).containsExactly("pair 0-109");
    assertThat(Jobs.run(job, 3)).containsExactly("pair 0-1000");
  }

  @Test
  void whoWaitsForTheSlowPairIsLateToo() {
    Workload job = unevenly("1 all-gather all forward 450xbf16 over dp:3 deps=0\n");
    assertThat(Jobs.sets(job)).containsExactly("0-1,4-5", "2-3");
    assertThat(Jobs.run(job, 0)).containsExactly("pair 0-109", "all 1000-3000");
    assertThat(Jobs.run(job, 2)).containsExactly("pair 0-1000", "all 1000-3000");
  }

  @Test
  void whoReceivesFromDifferentSetsIsOfDifferentSets() {
    Workload job =
        ExecutionTextParser.parseWorkload(
            """
            workload w
            model tiny
            mesh tp=2 dp=3 pp=2
            precision weights=bf16 activations=bf16 gradients=fp32
            network switch size=3 gbps=100.0 ns=100.0
            network switch size=2 gbps=1.0 ns=100.0
            network switch size=2 gbps=10.0 ns=10.0
            class stage=0 ranks=0-5
            0 all-gather pair forward 450xbf16 over tp:2
            1 send out forward 450xbf16 to pp:+1 tag=0 deps=0
            class stage=1 ranks=6-11
            0 recv in forward 450xbf16 from pp:-1 tag=0
            """);
    assertThat(Jobs.sets(job)).containsExactly("0-1,4-5", "2-3", "6-7,10-11", "8-9");
    assertThat(Jobs.run(job, 11)).containsExactly("in 109-209");
    assertThat(Jobs.run(job, 9)).containsExactly("in 1000-1100");
    Workload apart = Jobs.apart(job);
    for (int rank = 0; rank < 12; rank++) {
      assertThat(Jobs.run(apart, rank)).isEqualTo(Jobs.run(job, rank));
    }
  }
}
