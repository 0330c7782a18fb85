package org.stage.backend.timeline;

import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

/** Two stages, two micro-batches; kernels of 2 us and 3 us, messages of 1 us, one buffer. */
final class Jobs {
  private static final String TWO_STAGES =
      """
      workload w
      model tiny
      mesh %s
      precision weights=bf16 activations=bf16 gradients=fp32
      hardware test memory=80.0 bandwidth=1000000.0 bf16=1.0
      network switch size=%d gbps=1.0 ns=100.0
      class stage=0 ranks=%s
      0 compute a0 forward einsum flops=2000000
      1 send s0 forward 450xbf16 to pp:+1 tag=0 deps=0
      2 compute a1 forward einsum flops=2000000
      3 send s1 forward 450xbf16 to pp:+1 tag=1 deps=2
      class stage=1 ranks=%s
      0 recv r0 forward 450xbf16 from pp:-1 tag=0
      1 compute b0 forward einsum flops=3000000 deps=0
      2 recv r1 forward 450xbf16 from pp:-1 tag=1 ctrl=1
      3 compute b1 forward einsum flops=3000000 deps=2
      """;

  private Jobs() {}

  static Workload twoStages() {
    return ExecutionTextParser.parseWorkload(TWO_STAGES.formatted("pp=2", 2, "0", "1"));
  }

  /** The same with other receives, both of which can be waited for from the first. */
  static Workload twoStages(String first, String second) {
    String text =
        TWO_STAGES
            .formatted("pp=2", 2, "0", "1")
            .replace("0 recv r0 forward 450xbf16 from pp:-1 tag=0", first)
            .replace("2 recv r1 forward 450xbf16 from pp:-1 tag=1 ctrl=1", second);
    return ExecutionTextParser.parseWorkload(text);
  }

  /** The same with a width of two. */
  static Workload twoWideStages() {
    return ExecutionTextParser.parseWorkload(TWO_STAGES.formatted("tp=2 pp=2", 4, "0-1", "2-3"));
  }
}
