package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;

/** Any workload that keeps the engine's promises is exported without a fault. */
final class RandomWorkloadTest {
  @TempDir Path directory;

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anExportPassesTheValidator(int seed) throws IOException {
    Random random = new Random(seed);
    Workload workload = new Script(random).workload();
    String edges = random.nextBoolean() ? "data" : "ctrl";
    String tensors = String.valueOf(random.nextBoolean());
    Exports.export(workload, directory, Map.of("order-edges", edges, "tensors", tensors));
    assertThat(new ChakraValidator().validate(directory, Progress.NONE).diagnostics())
        .describedAs("seed %d, mesh %s", seed, workload.mesh())
        .isEmpty();
  }

  /**
   * One order of events over all pipeline stages, of which each stage takes its own: an order in
   * which all of it can run, so nothing may block.
   */
  private static final class Script {
    private final Random random;
    private final int tp;
    private final int dp;
    private final int pp;
    private final List<GraphBuilder> stages = new ArrayList<>();
    private final int[] sizes;
    private int tag;

    Script(Random random) {
      this.random = random;
      this.tp = 1 + random.nextInt(3);
      this.dp = random.nextBoolean() ? 4 : 1 + random.nextInt(2);
      this.pp = (tp * dp == 1 ? 2 : 1) + random.nextInt(3);
      this.sizes = new int[pp];
      IntStream.range(0, pp).forEach(stage -> stages.add(new GraphBuilder()));
    }

    Workload workload() {
      for (int stage = 0; stage < pp; stage++) {
        add(stage, stages.get(stage).compute("start", 1 << 20, 1 << 20));
      }
      int events = 5 + random.nextInt(60);
      for (int i = 0; i < events; i++) {
        event(i);
      }
      RankClass[] classes = new RankClass[pp];
      for (int stage = 0; stage < pp; stage++) {
        int first = stage * tp * dp;
        classes[stage] =
            Workloads.ranks(stage, first + "-" + (first + tp * dp - 1), stages.get(stage)::build);
      }
      return Workloads.of(
          "w",
          Workloads.mesh("tp", tp, "dp", dp, "pp", pp),
          Optional.of(Workloads.HARDWARE),
          List.of(),
          classes);
    }

    private void event(int number) {
      int stage = random.nextInt(pp);
      switch (random.nextInt(4)) {
        case 0 -> compute(number, stage);
        case 1 -> message(number, stage);
        case 2 -> collective(number, stage);
        default -> everywhere(number);
      }
    }

    private void compute(int number, int stage) {
      GraphBuilder graph = stages.get(stage).after(earlier(stage));
      add(stage, graph.compute("c" + number, random.nextInt(1000), 1 << 10, earlier(stage)));
    }

    private void message(int number, int stage) {
      int steps = pp == 1 ? 0 : 1 + random.nextInt(pp - 1);
      if (steps > 0) {
        int to = (stage + steps) % pp;
        long floats = 1L + random.nextInt(1 << 16);
        add(to, stages.get(to).recv("r" + number, "pp", -steps, floats, tag, earlier(to)));
        add(
            stage,
            stages
                .get(stage)
                .after(earlier(stage))
                .send("s" + number, "pp", steps, floats, tag++, earlier(stage)));
      }
    }

    private void collective(int number, int stage) {
      List<SubAxis> axes = new ArrayList<>();
      if (tp > 1 && random.nextBoolean()) {
        axes.add(new SubAxis("tp", 1, tp));
      }
      if (dp == 4 && random.nextBoolean()) {
        axes.add(random.nextBoolean() ? new SubAxis("dp", 1, 2) : new SubAxis("dp", 2, 2));
      } else if (dp > 1) {
        axes.add(random.nextInt(axes.size() + 1), new SubAxis("dp", 1, dp));
      }
      if (!axes.isEmpty()) {
        collective(number, stage, kind(), 1L + random.nextInt(1 << 16), new Group.Along(axes));
      }
    }

    private void everywhere(int number) {
      if (pp > 1) {
        Node.Collective.Kind kind = kind();
        long floats = 1L + random.nextInt(1 << 16);
        Group group =
            random.nextBoolean()
                ? new Group.Members("pp", IntStream.range(0, pp).boxed().toList())
                : new Group.Along(
                    List.of(
                        new SubAxis("pp", 1, pp),
                        new SubAxis("dp", 1, dp),
                        new SubAxis("tp", 1, tp)));
        for (int stage = 0; stage < pp; stage++) {
          collective(number, stage, kind, floats, group);
        }
      }
    }

    private void collective(
        int number, int stage, Node.Collective.Kind kind, long floats, Group group) {
      add(stage, stages.get(stage).collective("x" + number, kind, floats, group, earlier(stage)));
    }

    private Node.Collective.Kind kind() {
      List<Node.Collective.Kind> kinds =
          List.of(
              Node.Collective.Kind.ALL_REDUCE,
              Node.Collective.Kind.ALL_GATHER,
              Node.Collective.Kind.REDUCE_SCATTER,
              Node.Collective.Kind.ALL_TO_ALL);
      return kinds.get(random.nextInt(kinds.size()));
    }

    private int[] earlier(int stage) {
      int count = random.nextInt(3);
      return random.ints(count, 0, sizes[stage]).sorted().distinct().toArray();
    }

    private void add(int stage, int node) {
      sizes[stage] = node + 1;
    }
  }
}
