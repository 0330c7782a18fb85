package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.symbol.Expr;

class LayoutTest {
  private static final Layout LAYOUT =
      new Layout(List.of(List.of(2, 0), List.of(1)), Set.of(3), Set.of());

  @Test
  void itsListsAreThoseOfTheRulesInTheirOrder() {
    ShardingRules rules = Standard.rules(Map.of("batch", List.of(2, 0), "mlp", List.of(1)));
    assertThat(Layout.of(rules, List.of("batch", "embed", "mlp")).shards())
        .containsExactly(List.of(2, 0), List.of(), List.of(1));
    assertThat(LAYOUT).isNotEqualTo(LAYOUT.with(0, List.of(0, 2)));
  }

  @Test
  void whatSumsCutsNoDimension() {
    assertThat(LAYOUT.summing(Set.of(2)))
        .isEqualTo(new Layout(List.of(List.of(0), List.of(1)), Set.of(2, 3), Set.of()));
  }

  @Test
  void whatIsReducedIsNeitherSumNorMaximum() {
    assertThat(LAYOUT.reduced(List.of(3, 0)).sums()).isEmpty();
    assertThat(LAYOUT.reduced(List.of(0))).isEqualTo(LAYOUT);
    Layout largest = new Layout(List.of(List.of()), Set.of(), Set.of(1, 2));
    assertThat(largest.reduced(List.of(1)).maxima()).containsExactly(2);
    assertThat(largest.partialAxes()).isEqualTo(2);
  }

  @Test
  void eachDimensionIsDividedByItsDegrees() {
    DeviceMesh mesh = DeviceMesh.of(Placed.mesh("tp 2, cp 2, ep 2, dp 2"), 4);
    assertThat(LAYOUT.local(mesh, Expr.parse("batch*mlp"))).hasToString("batch*mlp/cp/ep/tp");
    assertThat(LAYOUT.isSharded(1)).isTrue();
    assertThat(LAYOUT.isSharded(3)).isFalse();
  }

  @Test
  void noAxisStandsTwiceAndNothingIsSumAndMaximum() {
    assertThatThrownBy(() -> new Layout(List.of(List.of(1), List.of(1)), Set.of(), Set.of()))
        .hasMessage("a mesh axis stands twice in [1, 1]");
    assertThatThrownBy(() -> new Layout(List.of(List.of(1)), Set.of(1), Set.of()))
        .hasMessage("a mesh axis stands twice in [1, 1]");
    assertThatThrownBy(() -> new Layout(List.of(), Set.of(1), Set.of(2)))
        .hasMessage("sums along [1], maxima along [2]");
  }
}
