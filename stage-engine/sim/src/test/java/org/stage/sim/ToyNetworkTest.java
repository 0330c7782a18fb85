package org.stage.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.Costs;
import org.stage.sim.cost.NetworkModel;
import org.stage.sim.cost.Spread;

/** Costs of collectives that the simulation does not know are a network model of their own. */
class ToyNetworkTest {
  /** Everything goes up a binary tree and down again, at 100 ns a level and a byte a nanosecond. */
  private record Tree() implements NetworkModel {
    @Override
    public Spread spread(List<Integer> ranks) {
      return new Spread(List.of(ranks.size()));
    }

    @Override
    public long picoseconds(NodeKind kind, long bytes, Spread spread) {
      int levels = Integer.SIZE - Integer.numberOfLeadingZeros(spread.members() - 1);
      return (2L * levels * 100 + 2 * bytes) * 1000;
    }
  }

  /** Two levels: 400 ns, and 900 bytes both ways. A ring of four: 6 steps of 225 bytes. */
  @Test
  void aStepTakesWhatTheNetworkSays() {
    Workload job =
        Jobs.of(
            "tp=4",
            4,
            """
            class stage=0 ranks=0-3
            0 compute first forward einsum flops=1000000
            1 all-reduce sum forward 450xbf16 over tp:4 deps=0
            2 compute last forward einsum flops=1000000 deps=1
            """);
    Costs usual = Costs.of(job, /* unit= */ false, /* free= */ false);
    Costs tree = new Costs(usual.kernels(), new Tree(), /* unit= */ false, /* free= */ false);

    assertThat(Jobs.run(job, 0, /* perGroup= */ false, usual))
        .containsExactly("first 0-1000", "sum 1000-2950", "last 2950-3950");
    assertThat(Jobs.run(job, 0, /* perGroup= */ false, tree))
        .containsExactly("first 0-1000", "sum 1000-3200", "last 3200-4200");
  }
}
