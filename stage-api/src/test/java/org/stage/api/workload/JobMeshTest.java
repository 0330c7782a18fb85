package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobMeshTest {
  /** Ranks 0-3 are stage 0. */
  private static final Mesh MESH =
      new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("dp", 2), new MeshAxis("pp", 2)));

  private static final Group TP = new Group.Along(List.of(new SubAxis("tp", 1, 2)));
  private static final Group DP = new Group.Along(List.of(new SubAxis("dp", 1, 2)));
  private static final Group ENDS = new Group.Members("pp", List.of(0, 1));

  private static JobMesh on(String ranks) {
    return new JobMesh("job", MESH, RankSet.parse(ranks));
  }

  @Test
  void aJobAloneHasTheGroupsAndPeersOfItsMesh() {
    JobMesh alone = JobMesh.alone("job", MESH);

    assertThat(alone.ranks()).hasToString("0-7");
    assertThat(alone.members(DP, 3)).containsExactly(1, 3);
    assertThat(alone.peer(3, "pp", 1)).isEqualTo(7);
  }

  @Test
  void aJobThatBeginsAtRank8HasAllGroupsAndPeersThere() {
    JobMesh shifted = on("8-15");

    assertThat(shifted.members(TP, 11)).containsExactly(10, 11);
    assertThat(shifted.members(DP, 11)).containsExactly(9, 11);
    assertThat(shifted.members(ENDS, 15)).containsExactly(11, 15);
    assertThat(shifted.peer(11, "pp", 1)).isEqualTo(15);
    assertThat(shifted.peer(11, "pp", -1)).isEqualTo(15);
  }

  @Test
  void aJobOnScatteredRanksCountsThemUpwards() {
    // mesh device   0 1 2 3 4 5  6  7
    // rank          2 3 6 7 8 12 13 20
    JobMesh scattered = on("2-3,6-8,12-13,20");

    assertThat(scattered.members(TP, 8)).containsExactly(8, 12);
    assertThat(scattered.members(DP, 12)).containsExactly(12, 20);
    assertThat(scattered.peer(3, "pp", 1)).isEqualTo(12);
    assertThat(scattered.peer(20, "pp", 1)).isEqualTo(7);
    assertThat(scattered.stage(7)).isZero();
    assertThat(scattered.stage(8)).isEqualTo(1);
  }

  @Test
  void ranksOfOthersAreRefused() {
    assertThatThrownBy(() -> on("8-15").members(TP, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 7 is none of 8-15");
    assertThatThrownBy(() -> on("8-15").peer(16, "pp", 1)).hasMessage("rank 16 is none of 8-15");
  }

  @Test
  void asManyRanksAsDevicesAreNeeded() {
    assertThatThrownBy(() -> on("0-6"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("job job has 8 devices, but 7 ranks");
  }
}
