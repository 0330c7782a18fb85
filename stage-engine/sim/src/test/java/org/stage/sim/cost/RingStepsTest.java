package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.plugin.NodeKind;

class RingStepsTest {
  /** The closed formulas of bytes on the wire: 2(n-1)/n, (n-1)/n and n-1 times the input. */
  @ParameterizedTest
  @CsvSource({
    "ALL_REDUCE, 6, 250, 1500",
    "REDUCE_SCATTER, 3, 250, 750",
    "ALL_TO_ALL, 3, 250, 750",
    "ALL_GATHER, 3, 1000, 3000",
    "SEND, 1, 1000, 1000"
  })
  void theChunksOfAllStepsAreWhatALinkCarries(NodeKind kind, long steps, double chunk, double all) {
    RingSteps ring = RingSteps.of(kind, 4);
    assertThat(ring.steps()).isEqualTo(steps);
    assertThat(ring.chunk(1000)).isEqualTo(chunk);
    assertThat(ring.wireBytes(1000)).isEqualTo(all).isEqualTo(steps * chunk);
  }
}
