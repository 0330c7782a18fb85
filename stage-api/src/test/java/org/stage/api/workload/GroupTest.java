package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GroupTest {
  @Test
  void aGroupAlongAxesHasTheProductOfTheirSizes() {
    Group group = new Group.Along(List.of(new SubAxis("tp", 2, 4), new SubAxis("dp", 1, 3)));
    assertThat(group.size()).isEqualTo(12);
    assertThat(group.axisNames()).isEqualTo("tp+dp");
  }

  @Test
  void twoPartsOfAnAxisAreNamedOnce() {
    Group group = new Group.Along(List.of(new SubAxis("tp", 1, 2), new SubAxis("tp", 2, 4)));
    assertThat(group.size()).isEqualTo(8);
    assertThat(group.axisNames()).isEqualTo("tp");
  }

  @Test
  void aGroupOfCoordinatesHasAsManyMembers() {
    Group group = new Group.Members("pp", List.of(0, 7));
    assertThat(group.size()).isEqualTo(2);
    assertThat(group.axisNames()).isEqualTo("pp");
  }

  @Test
  void partsThatShareAFactorAreRefused() {
    List<SubAxis> overlapping = List.of(new SubAxis("tp", 1, 4), new SubAxis("tp", 2, 4));
    assertThatThrownBy(() -> new Group.Along(overlapping))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("overlap");
  }

  @Test
  void onlyPartsOfOneAxisWithACommonFactorOverlap() {
    SubAxis outer = new SubAxis("tp", 1, 4);
    assertThat(outer.overlaps(outer)).isTrue();
    assertThat(outer.overlaps(new SubAxis("tp", 2, 2))).isTrue();
    assertThat(outer.overlaps(new SubAxis("tp", 4, 2))).isFalse();
    assertThat(new SubAxis("tp", 4, 2).overlaps(outer)).isFalse();
    assertThat(outer.overlaps(new SubAxis("dp", 1, 4))).isFalse();
    assertThat(outer.overlaps(new SubAxis("tp", 2, 1))).isFalse();
  }

  @Test
  void emptyGroupsAreRefused() {
    assertThatThrownBy(() -> new Group.Along(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a group along no axis");
    assertThatThrownBy(() -> new Group.Members("pp", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a group without members on pp");
  }

  @Test
  void coordinatesAscend() {
    assertThatThrownBy(() -> new Group.Members("pp", List.of(7, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[7, 0] on pp do not ascend");
    assertThatThrownBy(() -> new Group.Members("pp", List.of(3, 3)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void factorsAreAtLeastOne() {
    assertThatThrownBy(() -> new SubAxis("tp", 0, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tp:(0)4 has a factor below 1");
    assertThatThrownBy(() -> new SubAxis("tp", 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPartIsToldFromTheWholeAxis() {
    assertThat(new SubAxis("tp", 1, 8).text(8)).isEqualTo("tp");
    assertThat(new SubAxis("tp", 2, 4).text(8)).isEqualTo("tp:(2)4");
    assertThat(SubAxis.whole(new MeshAxis("tp", 8))).isEqualTo(new SubAxis("tp", 1, 8));
  }
}
