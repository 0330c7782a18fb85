package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective.Kind;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.Kernel;
import org.stage.sim.cost.Roofline;

/** What goes in comes out: sums over random graphs, counted on the nodes and on the rows. */
final class TotalsTest {
  private static final Mesh MESH = Workloads.mesh("tp", 4, "dp", 2);
  private static final List<String> COMPONENTS =
      List.of("attention_norm", "attention", "attention_residual", "mlp_norm", "mlp", "x", "y");

  private static final List<Kind> KINDS =
      List.copyOf(EnumSet.range(Kind.ALL_REDUCE, Kind.ALL_TO_ALL));

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void computingAndTrafficOfTheRowsAreThoseOfTheGraph(long seed) throws IOException {
    Random random = new Random(seed);
    GraphBuilder graph = random(random);
    List<String> rows = Exports.rows(Workloads.single(MESH, graph), directory);

    assertThat(ofRows(rows)).isEqualTo(ofGraph(graph));
    assertThat(sum(rows, 2, 5, 8)).isEqualTo((long) Math.floor(nanoseconds(graph, null) + 1e-3));
    assertThat(sum(rows, 2)).isEqualTo((long) Math.floor(nanoseconds(graph, Phase.FORWARD) + 1e-3));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theReportHasTheFlopsOfTheGraph(long seed) throws IOException {
    GraphBuilder graph = random(new Random(seed));
    Exports.export(Workloads.single(MESH, graph), directory);
    String report = Files.readString(directory.resolve("totals.json"));
    for (Phase phase : List.of(Phase.FORWARD, Phase.BACKWARD, Phase.RECOMPUTE)) {
      long flops =
          graph.nodes().stream()
              .filter(node -> node.phase() == phase)
              .mapToLong(node -> node instanceof Node.Compute work ? work.flops() : 0)
              .sum();
      assertThat(report.substring(report.indexOf("\"flops\"")))
          .contains("\"" + phase.text() + "\" : " + flops);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsExportedHasNoFaults(long seed) throws IOException {
    Workload workload = Workloads.single(MESH, random(new Random(seed)));
    Exports.export(workload, directory);
    assertThat(new SimaiValidator().accepts(directory)).isTrue();
    assertThat(new SimaiValidator().validate(directory, Progress.NONE).diagnostics())
        .noneMatch(diagnostic -> diagnostic.severity() == Severity.ERROR);
  }

  /** Durations are whole nanoseconds, so that columns have no fractions to carry over. */
  private static GraphBuilder random(Random random) {
    GraphBuilder graph = new GraphBuilder();
    for (int mb = 0; mb < 1 + random.nextInt(4); mb++) {
      for (Phase phase : List.of(Phase.FORWARD, Phase.RECOMPUTE, Phase.BACKWARD)) {
        graph.phase(phase);
        for (int i = 0; i < 20; i++) {
          String unit = List.of("embedding", "layers.0", "layers.1", "head").get(random.nextInt(4));
          String component = COMPONENTS.get(random.nextInt(COMPONENTS.size()));
          add(graph, random, "mb" + mb + "." + unit + "." + component, phase);
        }
      }
    }
    graph.collective("layers.0.grad.all-reduce.dp", Kind.ALL_REDUCE, 77, Workloads.DP2);
    return graph.phase(Phase.OPTIMIZER).move("layers.0.adam", "adam", random.nextInt(1000));
  }

  private static void add(GraphBuilder graph, Random random, String name, Phase phase) {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    switch (random.nextInt(4)) {
      case 0 -> graph.collective(name, kind, 1 + random.nextInt(1 << 20), Workloads.TP4);
      case 1 -> graph.collective(name, kind, 1 + random.nextInt(1 << 20), Workloads.DP2);
      case 2 -> graph.move(name + ".norm", "rms_norm", random.nextInt(1000));
      default -> {
        String suffix = phase == Phase.BACKWARD && random.nextBoolean() ? ".wgrad" : ".up";
        graph.product(name + suffix, random.nextInt(1 << 30));
      }
    }
  }

  /** Bytes of whole tensors by word and group, from the nodes. */
  private static Map<String, Long> ofGraph(GraphBuilder graph) {
    Map<String, Long> bytes = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Collective collective) {
        boolean gather = collective.kind() == Kind.ALL_GATHER;
        String word = collective.kind().name().replace("_", "");
        long whole = collective.bytes() * (gather ? collective.group().size() : 1);
        boolean forward = collective.phase() == Phase.FORWARD;
        String group = collective.group().axisNames();
        String column = group.equals("dp") ? "" : forward ? " forward" : " backward";
        bytes.merge(word + " " + group + column, whole, Long::sum);
      }
    }
    return bytes;
  }

  private static Map<String, Long> ofRows(List<String> rows) {
    Map<String, Long> bytes = new TreeMap<>();
    for (String row : rows) {
      String[] fields = row.split(" ");
      bytes.merge(fields[3] + " tp forward", Long.parseLong(fields[4]), Long::sum);
      bytes.merge(fields[6] + " tp backward", Long.parseLong(fields[7]), Long::sum);
      bytes.merge(fields[9] + " dp", Long.parseLong(fields[10]), Long::sum);
    }
    bytes.keySet().removeIf(key -> key.startsWith("NONE"));
    return bytes;
  }

  private static long sum(List<String> rows, int... columns) {
    long sum = 0;
    for (String row : rows) {
      for (int column : columns) {
        sum += Long.parseLong(row.split(" ")[column]);
      }
    }
    return sum;
  }

  private static double nanoseconds(GraphBuilder graph, @Nullable Phase phase) {
    Roofline roofline = new Roofline(100, 10, 2000);
    return graph.nodes().stream()
        .filter(node -> phase == null || node.phase() == phase)
        .mapToDouble(
            node -> node instanceof Node.Compute work ? roofline.nanoseconds(Kernel.of(work)) : 0)
        .sum();
  }

  @Test
  void trafficBeyond63BitsIsRefusedAndNotNegative() {
    Totals.Traffic half = new Totals.Traffic(1, 1L << 62, 1L << 62);
    assertThatThrownBy(() -> half.and(half)).isInstanceOf(ArithmeticException.class);
  }
}
