package org.stage.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.job.ExpertStrategy.Load;

class ExpertRowsTest {
  private static final OptionalDouble DROPLESS = OptionalDouble.empty();

  /** Four experts, of which each token meets two, on two ranks with 32 tokens each. */
  private static ExpertRows rows(OptionalDouble capacity, boolean pad, Load... loads) {
    return ExpertRows.of(
        new Model.Experts(4, 2, 16, 0),
        2,
        32,
        new ExpertStrategy(1, capacity, pad, List.of(loads), false, false),
        "layers.3");
  }

  private static Load load(String layers, String... weights) {
    return new Load(new NamePattern(layers), Stream.of(weights).map(BigDecimal::new).toList());
  }

  @Test
  void aUniformLoadGivesEachRankAsManyRowsAsItSends() {
    assertThat(rows(DROPLESS, true)).isEqualTo(new ExpertRows(64, List.of(64L, 64L), 64, 0));
    assertThat(rows(DROPLESS, true).imbalance()).isEqualTo(1);
  }

  @Test
  void rowsFollowTheLoadAndLargestRemaindersGetWhatRoundingLeaves() {
    // 64 x 3/6 = 32, and three times 10 2/3: two of these are rounded up.
    ExpertRows rows = rows(DROPLESS, true, load("layers.*", "3", "1", "1", "1"));
    assertThat(rows).isEqualTo(new ExpertRows(64, List.of(2 * 43L, 2 * 21L), 64, 0));
    assertThat(rows.imbalance()).isCloseTo(86.0 / 64, within(1e-12));
    assertThat(ExpertRows.apportion(64, load("*", "0.3", "1e-1", "0.10", "0.1").weights()))
        .containsExactly(32L, 11L, 11L, 10L);
    assertThat(ExpertRows.apportion(7, load("*", "0", "5e3", "1").weights()))
        .containsExactly(0L, 7L, 0L);
  }

  @Test
  void theLastPatternThatIsALayersHoldsForIt() {
    Load all = load("layers.*", "3", "1", "1", "1");
    Load third = load("layers.3", "1", "1", "3", "1");
    assertThat(rows(DROPLESS, true, all, third).received()).containsExactly(44L, 84L);
    assertThat(rows(DROPLESS, true, third, all).received()).containsExactly(86L, 42L);
    assertThat(rows(DROPLESS, true, load("layers.4", "3", "1", "1", "1")).received())
        .containsExactly(64L, 64L);
  }

  @Test
  void aCapacityThatPadsGivesEachExpertJustThat() {
    // ceil(64 / 4 x 1.2) = 20 rows an expert.
    assertThat(rows(OptionalDouble.of(1.2), true))
        .isEqualTo(new ExpertRows(80, List.of(80L, 80L), 64, 0));
    assertThat(rows(OptionalDouble.of(1.2), true, load("**", "3", "1", "1", "1")))
        .isEqualTo(new ExpertRows(80, List.of(80L, 80L), 64, 12));
    assertThat(rows(OptionalDouble.of(0.5), true))
        .isEqualTo(new ExpertRows(32, List.of(32L, 32L), 64, 32));
  }

  @Test
  void aCapacityThatDoesNotPadOnlyDrops() {
    assertThat(rows(OptionalDouble.of(1.2), false))
        .isEqualTo(new ExpertRows(64, List.of(64L, 64L), 64, 0));
    assertThat(rows(OptionalDouble.of(0.5), false))
        .isEqualTo(new ExpertRows(32, List.of(32L, 32L), 64, 32));
    // 32, 11, 11, 10 rows, at most 20.
    assertThat(rows(OptionalDouble.of(1.2), false, load("**", "3", "1", "1", "1")))
        .isEqualTo(new ExpertRows(52, List.of(2 * 31L, 2 * 21L), 64, 12));
  }
}
