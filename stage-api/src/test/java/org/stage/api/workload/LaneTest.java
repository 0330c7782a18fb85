package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lanes, and who stands at the other end of a message. */
class LaneTest {
  private static final Group TP = new Group.Along(List.of(new SubAxis("tp", 1, 2)));
  private static final Group DP = new Group.Along(List.of(new SubAxis("dp", 1, 4)));

  private static NodeHeader header(int id) {
    return new NodeHeader(id, "n" + id, Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
  }

  private static Node sum(int id, Group group) {
    Node.Collective.Kind kind = Node.Collective.Kind.ALL_REDUCE;
    return new Node.Collective(header(id), kind, 1, DataType.FP32, group);
  }

  @Test
  void aLaneIsNamedAfterItsGroupOrPeer() {
    assertThat(Lane.of(TP)).hasToString("tp:2");
    assertThat(Lane.of(new Group.Along(List.of(new SubAxis("dp", 2, 4), new SubAxis("cp", 1, 2)))))
        .hasToString("dp:(2)4+cp:2");
    assertThat(Lane.of(new Group.Members("pp", List.of(0, 7)))).hasToString("pp{0,7}");
    assertThat(Lane.of(new Peer.Along("pp", -1))).hasToString("pp:-1");
    assertThat(Lane.of(new Peer.OfJob("decode", Map.of()))).hasToString("job decode");
  }

  @Test
  void eachLaneHasItsOrderAndTogetherTheyAreTheTotalOne() {
    Node own =
        new Node.Collective(
            header(3), Node.Collective.Kind.ALL_GATHER, 1, DataType.BF16, TP, new Lane("weights"));
    Node send = new Node.Send(header(4), "pp", 1, 8, DataType.BF16, 0);
    Node recv = new Node.Recv(header(5), "pp", -1, 8, DataType.BF16, 0);
    ExecutionGraph graph =
        new ExecutionGraph(List.of(sum(0, TP), sum(1, DP), sum(2, TP), own, send, recv), List.of());
    Map<String, List<Integer>> ids = new LinkedHashMap<>();
    graph.lanes().forEach((lane, its) -> ids.put(lane.name(), its.stream().map(Node::id).toList()));
    assertThat(ids).hasToString("{tp:2=[0, 2], dp:4=[1], weights=[3], pp:+1=[4]}");
    assertThat(graph.commOrder()).extracting(Node::id).containsExactly(0, 1, 2, 3, 4);
  }

  /** Prefill on ranks 0 to 3, tp 4; decode on 4 to 11, tp 2 x dp 4. */
  private static Workload twoJobs() {
    JobMesh prefill =
        new JobMesh("prefill", new Mesh(List.of(new MeshAxis("tp", 4))), RankSet.parse("0-3"));
    JobMesh decode =
        new JobMesh(
            "decode",
            new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("dp", 4))),
            RankSet.parse("4-11"));
    ExecutionGraph nothing = new ExecutionGraph(List.of(), List.of());
    return new Workload(
        "both",
        "m",
        Mesh.ofDevices(12),
        new Precision(DataType.BF16, DataType.BF16, DataType.FP32),
        Optional.empty(),
        List.of(),
        List.of(
            new RankClass(0, prefill.ranks(), () -> nothing).ofJob(prefill),
            new RankClass(0, decode.ranks(), () -> nothing).ofJob(decode)));
  }

  @Test
  void aPeerInAnotherJobIsAFunctionOfOnesCoordinates() {
    Workload both = twoJobs();
    JobMesh prefill = both.jobs().get(0);
    JobMesh decode = both.jobs().get(1);
    // Two ranks of prefill hand their halves to one of decode, on its replica 3.
    Peer half =
        new Peer.OfJob(
            "decode",
            Map.of(
                "tp", new Peer.Coordinate("tp", 1, 2, 0),
                "dp", new Peer.Coordinate("tp", 0, 1, 3)));
    assertThat(List.of(0, 1, 2, 3))
        .extracting(rank -> both.peer(prefill, rank, half))
        .containsExactly(10, 10, 11, 11);
    Peer back = new Peer.OfJob("prefill", Map.of("tp", new Peer.Coordinate("tp", 2, 1, 1)));
    assertThat(both.peer(decode, 4, back)).isEqualTo(1);
    assertThat(both.peer(decode, 5, back)).isEqualTo(3);
    assertThat(both.peer(prefill, 3, new Peer.Along("tp", 1))).isZero();
    assertThat(Peer.Coordinate.same("tp")).isEqualTo(new Peer.Coordinate("tp", 1, 1, 0));
  }

  @Test
  void aJobThatIsNotThereIsRefused() {
    Workload both = twoJobs();
    Peer nobody = new Peer.OfJob("train", Map.of());
    JobMesh prefill = both.jobs().get(0);
    assertThatThrownBy(() -> both.peer(prefill, 0, nobody))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workload both has no job train");
    assertThatThrownBy(() -> prefill.peer(0, nobody))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the peer of rank 0 is of job train, not prefill");
    assertThatThrownBy(() -> new Peer.Coordinate("tp", 1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a coordinate of 1/0 times that on tp");
  }
}
