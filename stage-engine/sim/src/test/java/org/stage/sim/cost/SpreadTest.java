package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SpreadTest {
  /** Sizes of {@code ranks} on nodes of 8 in groups of 4. */
  private static List<Integer> spread(int... ranks) {
    return Spread.of(IntStream.of(ranks).boxed().toList(), List.of(8, 4)).sizes();
  }

  @Test
  void aGroupWithinANodeIsSpreadOverItsInnerDimension() {
    assertThat(spread(0, 1, 2, 3, 4, 5, 6, 7)).containsExactly(8, 1);
    assertThat(spread(24, 31)).containsExactly(2, 1);
  }

  @Test
  void aGroupOfOneDeviceANodeIsSpreadOverTheOuterDimension() {
    assertThat(spread(7, 8)).containsExactly(1, 2);
    assertThat(spread(3, 11, 19, 27)).containsExactly(1, 4);
  }

  @Test
  void aGroupOfAsManyDevicesInEachOfSeveralNodesIsSpreadOverBoth() {
    assertThat(spread(0, 4, 16, 20)).containsExactly(2, 2);
    assertThat(spread(IntStream.range(0, 32).toArray())).containsExactly(8, 4);
  }

  @Test
  void aGroupOfMoreDevicesInOneNodeThanInAnotherIsOneRingInTheOutermostDimension() {
    assertThat(spread(0, 1, 2, 8)).containsExactly(1, 4);
    assertThat(spread(0, 1, 8)).containsExactly(1, 3);
    assertThat(Spread.of(List.of(0, 1, 2, 4), List.of(2, 2, 2)).sizes()).containsExactly(1, 1, 4);
    assertThat(Spread.of(List.of(0, 1, 2), List.of(2, 2, 2)).sizes()).containsExactly(1, 3, 1);
  }

  @Test
  void aRankAloneIsSpreadOverNothing() {
    assertThat(spread(9)).containsExactly(1, 1);
  }
}
