package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeshTest {
  private static final Mesh MESH =
      new Mesh(List.of(new MeshAxis("tp", 4), new MeshAxis("dp", 3), new MeshAxis("pp", 2)));

  private static Group along(SubAxis... axes) {
    return new Group.Along(List.of(axes));
  }

  private static SubAxis whole(String axis) {
    return SubAxis.whole(new MeshAxis(axis, MESH.degree(axis)));
  }

  @Test
  void devicesAreTheProductOfTheDegrees() {
    assertThat(MESH.devices()).isEqualTo(24);
    assertThat(new Mesh(List.of()).devices()).isEqualTo(1);
  }

  @Test
  void moreDevicesThan31BitsAreRefused() {
    Mesh mesh = new Mesh(List.of(new MeshAxis("tp", 1 << 16), new MeshAxis("dp", 1 << 16)));
    assertThatThrownBy(mesh::devices).isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @CsvSource({"tp, 4, 1", "dp, 3, 4", "pp, 2, 12"})
  void degreesAndStridesGrowFromTheInnermostAxis(String axis, int degree, int stride) {
    assertThat(MESH.degree(axis)).isEqualTo(degree);
    assertThat(MESH.stride(axis)).isEqualTo(stride);
  }

  @Test
  void anAxisThatIsNotThereHasOneDeviceAndNoStride() {
    assertThat(MESH.degree("cp")).isEqualTo(1);
    assertThatThrownBy(() -> MESH.stride("cp"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the mesh tp=4 dp=3 pp=2 has no axis cp");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0",
    "3, 3, 0, 0",
    "4, 0, 1, 0",
    "12, 0, 0, 1",
    "18, 2, 1, 1",
    "23, 3, 2, 1"
  })
  void coordinatesCountAlongTheAxes(int rank, int tp, int dp, int pp) {
    assertThat(MESH.coordinate(rank, "tp")).isEqualTo(tp);
    assertThat(MESH.coordinate(rank, "dp")).isEqualTo(dp);
    assertThat(MESH.coordinate(rank, "pp")).isEqualTo(pp);
  }

  @ParameterizedTest
  @CsvSource({
    "5, tp, 1, 6",
    "7, tp, 1, 4",
    "4, tp, -1, 7",
    "5, dp, 1, 9",
    "9, dp, 1, 1",
    "5, dp, -2, 9",
    "5, pp, 1, 17",
    "17, pp, 1, 5",
    "5, pp, 2, 5",
    "5, tp, 0, 5"
  })
  void aPeerIsStepsAwayAroundTheAxis(int rank, String axis, int offset, int peer) {
    assertThat(MESH.peer(rank, axis, offset)).isEqualTo(peer);
  }

  @Test
  void aWholeAxisGathersItsNeighbours() {
    assertThat(MESH.members(along(whole("tp")), 18)).containsExactly(16, 17, 18, 19);
    assertThat(MESH.members(along(whole("dp")), 18)).containsExactly(14, 18, 22);
    assertThat(MESH.members(along(whole("pp")), 18)).containsExactly(6, 18);
  }

  @Test
  void twoAxesGatherTheirProductInWhateverOrderTheyAreNamed() {
    List<Integer> members = MESH.members(along(whole("tp"), whole("pp")), 18);
    assertThat(members).containsExactly(4, 5, 6, 7, 16, 17, 18, 19);
    assertThat(MESH.members(along(whole("pp"), whole("tp")), 18)).isEqualTo(members);
  }

  @Test
  void theOuterHalfOfAnAxisStrides() {
    Group outer = along(new SubAxis("tp", 1, 2));
    assertThat(MESH.members(outer, 16)).containsExactly(16, 18);
    assertThat(MESH.members(outer, 19)).containsExactly(17, 19);
  }

  @Test
  void theInnerHalfOfAnAxisIsConsecutive() {
    Group inner = along(new SubAxis("tp", 2, 2));
    assertThat(MESH.members(inner, 16)).containsExactly(16, 17);
    assertThat(MESH.members(inner, 18)).containsExactly(18, 19);
  }

  @Test
  void bothHalvesOfAnAxisAreTheAxis() {
    Group halves = along(new SubAxis("tp", 1, 2), new SubAxis("tp", 2, 2));
    assertThat(MESH.members(halves, 18)).containsExactly(16, 17, 18, 19);
  }

  @Test
  void theMiddleFactorOfThreeIsFoundByWhatStandsOutsideIt() {
    Mesh mesh = new Mesh(List.of(new MeshAxis("tp", 8)));
    assertThat(mesh.members(along(new SubAxis("tp", 2, 2)), 5)).containsExactly(5, 7);
    assertThat(mesh.members(along(new SubAxis("tp", 4, 2)), 5)).containsExactly(4, 5);
    assertThat(mesh.members(along(new SubAxis("tp", 1, 2)), 5)).containsExactly(1, 5);
    assertThat(mesh.members(along(new SubAxis("tp", 2, 4)), 5)).containsExactly(4, 5, 6, 7);
  }

  @Test
  void namedCoordinatesKeepAllOthers() {
    Group ends = new Group.Members("dp", List.of(0, 2));
    assertThat(MESH.members(ends, 14)).containsExactly(14, 22);
    assertThat(MESH.members(ends, 22)).containsExactly(14, 22);
  }

  @Test
  void aRankOutsideTheNamedCoordinatesHasNoGroup() {
    assertThatThrownBy(() -> MESH.members(new Group.Members("dp", List.of(0, 2)), 18))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 18 is not in the group dp{0,2}");
  }

  @Test
  void aSubAxisThatDoesNotDivideItsAxisIsRefused() {
    assertThatThrownBy(() -> MESH.members(along(new SubAxis("dp", 1, 2)), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dp:(1)2 does not divide dp of the mesh tp=4 dp=3 pp=2");
    assertThatThrownBy(() -> MESH.members(along(new SubAxis("tp", 4, 2)), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tp:(4)2 does not divide");
  }

  @Test
  void groupsHaveATextThatNamesTheParts() {
    assertThat(MESH.text(along(whole("tp")))).isEqualTo("tp");
    assertThat(MESH.text(along(whole("dp"), whole("pp")))).isEqualTo("dp+pp");
    assertThat(MESH.text(along(new SubAxis("tp", 2, 2), whole("dp")))).isEqualTo("tp:(2)2+dp");
    assertThat(MESH.text(new Group.Members("pp", List.of(0, 1)))).isEqualTo("pp{0,1}");
    assertThat(MESH).hasToString("tp=4 dp=3 pp=2");
  }

  @Test
  void anAxisStandsOnceAndHasADevice() {
    List<MeshAxis> twice = List.of(new MeshAxis("tp", 2), new MeshAxis("tp", 2));
    assertThatThrownBy(() -> new Mesh(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the mesh has two axes tp");
    assertThatThrownBy(() -> new MeshAxis("tp", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mesh axis tp=0 has no devices");
  }

  @Test
  void aStrideBeyond31BitsIsRefusedAndNotNegative() {
    Mesh mesh =
        new Mesh(
            List.of(
                new MeshAxis("tp", 1 << 16), new MeshAxis("dp", 1 << 16), new MeshAxis("pp", 2)));
    assertThat(mesh.stride("dp")).isEqualTo(1 << 16);
    assertThatThrownBy(() -> mesh.stride("pp")).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void anOffsetOfAnySizeGoesRoundTheAxis() {
    assertThat(MESH.peer(1, "tp", Integer.MAX_VALUE)).isEqualTo(MESH.peer(1, "tp", 3));
  }
}
