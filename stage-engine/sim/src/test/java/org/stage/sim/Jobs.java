package org.stage.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.Costs;
import org.stage.testkit.text.ExecutionTextParser;

/** Small jobs as text: a device of 1000 FLOPs a nanosecond, wires of one byte a nanosecond. */
final class Jobs {
  private static final String HEAD =
      """
      workload w
      model tiny
      mesh %s
      precision weights=bf16 activations=bf16 gradients=fp32
      hardware test memory=80.0 bandwidth=1000000.0 bf16=1.0
      network switch size=%d gbps=1.0 ns=100.0
      """;

  private Jobs() {}

  /** A job on one switch. */
  static Workload of(String mesh, int devices, String classes) {
    return ExecutionTextParser.parseWorkload(HEAD.formatted(mesh, devices) + classes);
  }

  /** One rank with these nodes. */
  static Workload alone(String nodes) {
    return of("tp=1", 1, "class stage=0 ranks=0\n" + nodes);
  }

  /** Two stages, two micro-batches; kernels of 2 us and 3 us, messages of 1 us, one buffer. */
  static Workload twoStages() {
    return of(
        "pp=2",
        2,
        """
        class stage=0 ranks=0
        0 compute a0 forward einsum flops=2000000
        1 send s0 forward 450xbf16 to pp:+1 tag=0 deps=0
        2 compute a1 forward einsum flops=2000000
        3 send s1 forward 450xbf16 to pp:+1 tag=1 deps=2
        class stage=1 ranks=1
        0 recv r0 forward 450xbf16 from pp:-1 tag=0
        1 compute b0 forward einsum flops=3000000 deps=0
        2 recv r1 forward 450xbf16 from pp:-1 tag=1 ctrl=1
        3 compute b1 forward einsum flops=3000000 deps=2
        """);
  }

  /**
   * A pipeline of one kernel a forward pass and two a backward pass.
   *
   * @param warmUp forward passes before the first backward pass, by stage
   */
  static Workload pipeline(int stages, int microBatches, int[] warmUp) {
    StringBuilder classes = new StringBuilder();
    for (int stage = 0; stage < stages; stage++) {
      classes.append("class stage=%d ranks=%d\n".formatted(stage, stage));
      List<String> nodes = new ArrayList<>();
      int forward = 0;
      for (int backward = 0; backward < microBatches; backward++) {
        while (forward < Math.min(microBatches, backward + warmUp[stage])) {
          pass(nodes, "forward", forward++, stage > 0, stage < stages - 1);
        }
        pass(nodes, "backward", backward, stage < stages - 1, stage > 0);
      }
      nodes.forEach(node -> classes.append(node).append('\n'));
    }
    return of("pp=" + stages, stages, classes.toString());
  }

  private static void pass(
      List<String> nodes, String phase, int microBatch, boolean receives, boolean sends) {
    int direction = phase.equals("forward") ? 1 : -1;
    int tag = 2 * microBatch + (direction > 0 ? 0 : 1);
    String name = "mb" + microBatch + "." + phase;
    String message = " 8xbf16 %s pp:%+d tag=" + tag;
    int before = nodes.size() - 1;
    if (receives) {
      String free = before < 0 ? "" : " ctrl=" + lastKernel(nodes);
      nodes.add(
          nodes.size()
              + (" recv " + name + ".in " + phase)
              + message.formatted("from", -direction)
              + free);
    }
    for (int kernel = 0; kernel < (direction > 0 ? 1 : 2); kernel++) {
      String deps = receives && kernel == 0 ? " deps=" + (nodes.size() - 1) : "";
      nodes.add(nodes.size() + " compute " + name + kernel + " " + phase + " add" + deps);
    }
    if (sends) {
      nodes.add(
          nodes.size()
              + (" send " + name + ".out " + phase)
              + message.formatted("to", direction)
              + (" deps=" + (nodes.size() - 1)));
    }
  }

  private static int lastKernel(List<String> nodes) {
    return IntStream.range(0, nodes.size())
        .filter(i -> nodes.get(i).contains(" compute "))
        .max()
        .orElseThrow();
  }

  /** The same job with a class for each rank. */
  static Workload apart(Workload job) {
    List<RankClass> classes =
        IntStream.range(0, job.mesh().devices())
            .mapToObj(
                rank -> {
                  RankClass of =
                      job.classes().stream()
                          .filter(each -> each.ranks().contains(rank))
                          .findFirst()
                          .orElseThrow();
                  return of.withRanks(RankSet.of(IntStream.of(rank)));
                })
            .toList();
    return new Workload(
        job.name(),
        job.model(),
        job.mesh(),
        job.precision(),
        job.hardware(),
        job.network(),
        classes);
  }

  /** When nodes of a rank run, as {@code name from-to}, nanoseconds. */
  static List<String> run(Workload job, int rank) {
    return run(job, rank, /* perGroup= */ false);
  }

  static List<String> run(Workload job, int rank, boolean perGroup) {
    return run(job, rank, perGroup, Costs.of(job, /* unit= */ false, /* free= */ false));
  }

  static List<String> run(Workload job, int rank, boolean perGroup, Costs costs) {
    List<CondensedGraph> graphs =
        job.classes().stream()
            .map(
                each ->
                    new CondensedGraph(
                        each.graph(), job.meshOf(each), costs.slowedBy(each.slowdown()), perGroup))
            .toList();
    List<AlikeRanks> sets = Partition.of(job, graphs, costs);
    List<Times> times = Simulation.run(graphs, sets, costs);
    Map<Integer, Integer> setOf = new HashMap<>();
    for (int i = 0; i < sets.size(); i++) {
      int set = i;
      sets.get(i).ranks().stream().forEach(each -> setOf.put(each, set));
    }
    int set = setOf.getOrDefault(rank, -1);
    return job.classes().get(sets.get(set).rankClass()).graph().nodes().stream()
        .map(
            node ->
                node.name()
                    + " "
                    + times.get(set).start(node.id()) / 1000
                    + "-"
                    + times.get(set).end(node.id()) / 1000)
        .toList();
  }

  /** The sets of ranks that run alike. */
  static List<String> sets(Workload job) {
    Costs costs = Costs.of(job, /* unit= */ false, /* free= */ false);
    List<CondensedGraph> graphs =
        job.classes().stream()
            .map(
                each ->
                    new CondensedGraph(
                        each.graph(), job.meshOf(each), costs.slowedBy(each.slowdown()), false))
            .toList();
    return Partition.of(job, graphs, costs).stream().map(set -> set.ranks().toString()).toList();
  }
}
