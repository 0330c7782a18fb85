package org.stage.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order against the closed forms of the literature, in whole numbers. */
class SimulationTest {
  @ParameterizedTest
  @MethodSource("org.stage.schedule.Pipelines#all")
  void everyRankIdlesAsLongAsItsFormulaSays(Pipeline pipeline) {
    Simulation simulation = Simulation.of(pipeline, Costs.EQUAL);
    Optional<ClosedForm> form = pipeline.closedForm(Costs.EQUAL);
    boolean fewerThanRanks = pipeline.microBatches() < pipeline.ranks();
    assertThat(form.isPresent())
        .isEqualTo(!pipeline.schedule().equals(new ZeroBubble()) || !fewerThanRanks);
    if (form.isPresent()) {
      for (int rank = 0; rank < pipeline.ranks(); rank++) {
        assertThat(simulation.idle(rank)).isEqualTo(form.get().idle());
      }
      assertThat(simulation.idleShare()).isEqualTo(form.get().share(pipeline, Costs.EQUAL));
    }
  }

  /** With other costs than equal ones; DualPipe's formula says nothing of them. */
  @ParameterizedTest
  @MethodSource("org.stage.schedule.Pipelines#all")
  void theFormulasButDualPipesHoldForOtherCostsToo(Pipeline pipeline) {
    for (Costs costs :
        List.of(new Costs(2, 3, 1), new Costs(3, 2, 1), new Costs(3, 2, 2), new Costs(3, 4, 3))) {
      Optional<ClosedForm> form = pipeline.closedForm(costs);
      if (!pipeline.schedule().equals(new DualPipe()) && form.isPresent()) {
        Simulation simulation = Simulation.of(pipeline, costs);
        assertThat(simulation.idle(0)).isEqualTo(form.get().idle());
      }
    }
  }

  /** Shares worked out by hand: {@code (p-1)/(m+p-1)}, {@code (p-1)/(v m+p-1)} and so on. */
  @ParameterizedTest
  @CsvSource({
    "gpipe, 4, 1, 8, 3/11",
    "1f1b, 4, 1, 8, 3/11",
    "interleaved, 4, 2, 8, 3/19",
    "interleaved, 4, 4, 8, 3/35",
    // 3 idle of 3 x 8 + 3
    "zero-bubble, 4, 1, 8, 1/9",
    // 1 x (3 + 2 - 3) idle of 3 x 8 + 2
    "dualpipe, 4, 1, 8, 1/13",
    // 3 x 2 of 3 x 20 + 6
    "dualpipe, 8, 1, 20, 1/11",
    "dualpipe, 2, 1, 4, 0/1"
  })
  void idleSharesAreThoseOfTheLiterature(
      String kind, int ranks, int chunks, int microBatches, String share) {
    Pipeline pipeline = new Pipeline(Schedules.standard().named(kind), ranks, chunks, microBatches);
    assertThat(Simulation.of(pipeline, Costs.EQUAL).idleShare()).hasToString(share);
  }

  @ParameterizedTest
  @MethodSource("org.stage.schedule.Pipelines#all")
  void asManyMicroBatchesAreInFlightAsTheFormulaSays(Pipeline pipeline) {
    for (int rank = 0; rank < pipeline.ranks(); rank++) {
      assertThat(InFlight.of(pipeline, rank)).isEqualTo(formula(pipeline, rank));
    }
  }

  /** What the literature says of it. */
  private static InFlight formula(Pipeline pipeline, int rank) {
    int p = pipeline.ranks();
    int m = pipeline.microBatches();
    int v = pipeline.virtualStages();
    return switch (pipeline.schedule().name()) {
      case "gpipe" -> new InFlight(m, 0);
      case "1f1b" -> new InFlight(Math.min(m, p - rank), 0);
      case "interleaved" -> new InFlight(Math.min(m * v, (v - 1) * p + 2 * (p - rank - 1) + 1), 0);
      case "zero-bubble" -> {
        int whole = Math.min(m, p - rank);
        yield new InFlight(whole, Math.min(m - whole, rank));
      }
      case "dualpipe" -> new InFlight(p + 1, 0);
      default -> throw new IllegalArgumentException(pipeline.schedule().name());
    };
  }

  @Test
  void inFlightFormulasInNumbers() {
    // min(m v, (v-1) p + 2 (p-i-1) + 1) = 4 + 6 + 1 and 4 + 0 + 1
    Pipeline interleaved = new Pipeline(new Interleaved(), 4, 2, 8);
    assertThat(InFlight.of(interleaved, 0)).isEqualTo(new InFlight(11, 0));
    assertThat(InFlight.of(interleaved, 3)).isEqualTo(new InFlight(5, 0));
    Pipeline zeroBubble = new Pipeline(new ZeroBubble(), 4, 1, 8);
    assertThat(InFlight.of(zeroBubble, 1)).isEqualTo(new InFlight(3, 1));
    Pipeline dualPipe = new Pipeline(new DualPipe(), 8, 1, 20);
    assertThat(InFlight.of(dualPipe, 3)).isEqualTo(new InFlight(9, 0));
  }

  @Test
  void turnsHaveTheirTimes() {
    Simulation simulation =
        Simulation.of(new Pipeline(new OneForwardOneBackward(), 2, 1, 2), Costs.EQUAL);
    // F0 F1 .. B0 B0 .. B1 B1 and .. F0 B0 B0 F1 B1 B1
    assertThat(simulation.ranks().get(0))
        .extracting(span -> span.turn() + "@" + span.start() + "-" + span.end())
        .containsExactly("F0@0-1", "F1@1-2", "B0@4-6", "B1@7-9");
    assertThat(simulation.ranks().get(1))
        .extracting(span -> span.turn() + "@" + span.start() + "-" + span.end())
        .containsExactly("F0@1-2", "B0@2-4", "F1@4-5", "B1@5-7");
    assertThat(simulation.makespan()).isEqualTo(9);
    assertThat(simulation.idle(0)).isEqualTo(3);
  }

  @Test
  void timesBeyond63BitsAreRefusedAndNotNegative() {
    Costs huge = new Costs(1L << 62, 1L << 61, 1L << 61);
    assertThatThrownBy(huge::all).isInstanceOf(ArithmeticException.class);
    Pipeline pipeline = new Pipeline(new GPipe(), 2, 1, 4);
    assertThatThrownBy(() -> Simulation.of(pipeline, huge)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void moreMessagesThan31BitsHaveNoTags() {
    Pipeline pipeline = new Pipeline(new OneForwardOneBackward(), 2, 1, 1 << 30);
    assertThatThrownBy(() -> pipeline.tag(2, 0, true)).isInstanceOf(ArithmeticException.class);
  }
}
