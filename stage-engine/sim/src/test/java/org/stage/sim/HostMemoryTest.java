package org.stage.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What moves to host memory and back, at 64 GB/s each way. */
class HostMemoryTest {
  @Test
  void movesRunBesideKernelsOneAtATimeEachWay() {
    assertThat(
            Jobs.run(
                Jobs.of(
                    "tp=2",
                    2,
                    """
                    class stage=0 ranks=0-1
                    0 compute first forward einsum flops=1000000
                    1 memory-store away forward 64000 deps=0
                    2 memory-store later forward 64000 deps=0
                    3 compute head forward einsum flops=1000000
                    4 memory-load back backward 128000 deps=1
                    5 compute last backward einsum flops=1000000 deps=4
                    """),
                0))
        .containsExactly(
            "first 0-1000",
            "away 1000-2000",
            "later 2000-3000",
            "head 1000-2000",
            "back 2000-4000",
            "last 4000-5000");
  }
}
