package org.stage.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.InputException;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;

class SideBySideTest {
  private static final String TINY =
      """
      model: {preset: llama-3.2-1b, layers: 2}
      training: {global_batch: 4, seq: 128}
      """;

  /** 4 ranks: 0-1 are stage 0. */
  private static final Workload PIPELINE =
      JobTexts.synthesis(TINY, "name=a", "mesh.tp=2", "mesh.pp=2").workload();

  private static final Workload DATA = JobTexts.synthesis(TINY, "name=b", "mesh.dp=2").workload();

  private static final List<String> FILES = List.of("a.yaml", "b.yaml", "c.yaml");

  private static Workload together(String first, String second) {
    return SideBySide.of(
        List.of(PIPELINE, DATA),
        FILES,
        List.of(RankSet.parse(first), RankSet.parse(second)),
        List.of());
  }

  private static RankClass of(Workload workload, int rank) {
    return workload.classes().stream()
        .filter(each -> each.ranks().contains(rank))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> members(Workload workload, int rank, String axis, int size) {
    Group group = new Group.Along(List.of(new SubAxis(axis, 1, size)));
    return workload.meshOf(of(workload, rank)).members(group, rank);
  }

  @Test
  void theSecondJobBeginsWhereTheFirstEnds() {
    Workload both = together("0-3", "4-5");

    assertThat(both.jobs())
        .containsExactly(
            new JobMesh("a", PIPELINE.mesh(), RankSet.parse("0-3")),
            new JobMesh("b", DATA.mesh(), RankSet.parse("4-5")));
    assertThat(both.name()).isEqualTo("a");
    assertThat(both.mesh()).hasToString("devices=6");
    assertThat(members(both, 3, "tp", 2)).containsExactly(2, 3);
    assertThat(members(both, 4, "dp", 2)).containsExactly(4, 5);
  }

  @Test
  void placesMayLieBetweenOneAnotherAndInAnyOrder() {
    Workload both = together("1-2,4-5", "0,3");

    assertThat(both.classes())
        .extracting(each -> each.job().orElseThrow().name() + " " + each.ranks())
        .containsExactly("b 0,3", "a 1-2", "a 4-5");
    assertThat(members(both, 4, "tp", 2)).containsExactly(4, 5);
    assertThat(members(both, 0, "dp", 2)).containsExactly(0, 3);
  }

  @Test
  void messagesGoToTheSamePeersWithTheSameTagsAsAlone() {
    Workload both = together("1-2,4-5", "0,3");
    RankClass first = of(both, 2);

    List<Node.Send> sends =
        first.graph().nodes().stream()
            .filter(Node.Send.class::isInstance)
            .map(Node.Send.class::cast)
            .toList();
    assertThat(sends).hasSize(4);
    assertThat(sends)
        .allSatisfy(send -> assertThat(both.meshOf(first).peer(2, send.peer())).isEqualTo(5));
    assertThat(ExecutionText.print(first.graph()))
        .isEqualTo(ExecutionText.print(PIPELINE.classes().get(0).graph()));
  }

  @Test
  void jobsOfOneNameAreToldApart() {
    Workload three =
        SideBySide.of(
            List.of(DATA, DATA, DATA), FILES, Places.inOrder(List.of(2, 2, 2)), List.of());

    assertThat(three.jobs()).extracting(JobMesh::name).containsExactly("b", "b-2", "b-3");
    assertThat(three.jobs())
        .extracting(job -> job.ranks() + "")
        .containsExactly("0-1", "2-3", "4-5");
  }

  @Test
  void jobsForOtherDevicesAreRefused() {
    Workload other = JobTexts.synthesis(TINY, "name=c", "hardware=h100").workload();
    Workload coarse = JobTexts.synthesis(TINY, "name=d", "training.precision=fp32").workload();
    List<RankSet> places = Places.inOrder(List.of(2, 1));

    assertThatThrownBy(() -> SideBySide.of(List.of(DATA, other), FILES, places, List.of()))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "b.yaml, hardware: is h100, but not given in a.yaml. Jobs side by side run on devices of"
                + " one kind, at one precision.");
    assertThatThrownBy(() -> SideBySide.of(List.of(DATA, coarse), FILES, places, List.of()))
        .hasMessageStartingWith("b.yaml, training.precision: is fp32, but bf16 in a.yaml.");
  }

  @Test
  void placesThatAreNotLegalAreRefused() {
    assertRefused("gives job b 3 ranks (4-6), but it has 2 devices", "0-3", "4-6");
    assertRefused(
        "--place: places 1 jobs, but there are 2. Give a range of ranks for each job", "0-3");
    assertRefused(
        "puts job b on ranks 3, on which another is. A device runs one job.", "0-3", "3-4");
    assertRefused(
        "leaves ranks 4-7 idle. Together the jobs have 6 devices: place them on ranks 0-5.",
        "0-3",
        "8-9");
    assertRefused("gives job a 1,000,000,000 ranks", "0-999999999", "4-5");
  }

  private static void assertRefused(String message, String... places) {
    List<RankSet> ranks = List.of(places).stream().map(RankSet::parse).toList();
    assertThatThrownBy(() -> Places.check(ranks, List.of("a", "b"), List.of(4, 2)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aSlowRankLeavesItsClassAndItsSiblingsAreUntouched() {
    Workload slow = Stragglers.slow(PIPELINE, Map.of(0, 1.5));

    assertThat(slow.classes())
        .extracting(each -> each.stage() + " " + each.ranks() + " " + each.slowdown())
        .containsExactly("0 0 1.5", "0 1 1.0", "1 2-3 1.0");
    String sound = ExecutionText.print(PIPELINE.classes().get(0).graph());
    assertThat(ExecutionText.print(slow.classes().get(0).graph())).isEqualTo(sound);
    assertThat(ExecutionText.print(slow.classes().get(1).graph())).isEqualTo(sound);
    slow.verify();
  }

  @Test
  void ranksOfOneClassThatAreEquallySlowStayTogether() {
    Workload eight = JobTexts.synthesis(TINY, "mesh.dp=4", "mesh.pp=2").workload();

    Workload slow = Stragglers.slow(eight, Map.of(1, 1.2, 3, 1.2, 2, 2.0, 5, 1.2));

    assertThat(slow.classes())
        .extracting(each -> each.stage() + " " + each.ranks() + " " + each.slowdown())
        .containsExactly("0 0 1.0", "0 1,3 1.2", "0 2 2.0", "1 4,6-7 1.0", "1 5 1.2");
  }

  @Test
  void slowRanksOfSeveralJobsKeepTheirJob() {
    Workload slow = Stragglers.slow(together("1-2,4-5", "0,3"), Map.of(3, 1.3));

    assertThat(of(slow, 3).slowdown()).isEqualTo(1.3);
    assertThat(members(slow, 3, "dp", 2)).containsExactly(0, 3);
  }
}
