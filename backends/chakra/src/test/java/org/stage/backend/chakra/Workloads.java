package org.stage.backend.chakra;

import static org.stage.api.workload.Node.Collective.Kind.ALL_GATHER;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.REDUCE_SCATTER;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Small jobs made by hand. */
final class Workloads {
  static final Hardware HARDWARE = new Hardware("test", Map.of("bf16", 100.0), 80, 2000);
  private static final Precision PRECISION =
      new Precision(DataType.BF16, DataType.BF16, DataType.FP32);

  private Workloads() {}

  static Workload of(Mesh mesh, RankClass... classes) {
    return of("w", mesh, Optional.of(HARDWARE), List.of(), classes);
  }

  static Workload of(
      String name,
      Mesh mesh,
      Optional<Hardware> hardware,
      List<NetworkDimension> network,
      RankClass... classes) {
    return new Workload(name, "tiny", mesh, PRECISION, hardware, network, List.of(classes));
  }

  static Mesh mesh(Object... nameAndDegree) {
    return new Mesh(
        IntStream.range(0, nameAndDegree.length / 2)
            .mapToObj(
                i ->
                    new MeshAxis((String) nameAndDegree[2 * i], (Integer) nameAndDegree[2 * i + 1]))
            .toList());
  }

  static RankClass ranks(int stage, String ranks, Supplier<ExecutionGraph> graph) {
    return new RankClass(stage, RankSet.parse(ranks), graph);
  }

  /** Two pipeline stages on dp 2, tp 2, pp 2, with every kind of node; ends on all ranks. */
  static Workload pipeline(List<NetworkDimension> network) {
    return of(
        "w",
        mesh("tp", 2, "dp", 2, "pp", 2),
        Optional.of(HARDWARE),
        network,
        ranks(0, "0-3", () -> stage(0)),
        ranks(1, "4-7", () -> stage(1)));
  }

  private static ExecutionGraph stage(int stage) {
    GraphBuilder graph = new GraphBuilder();
    Group tp = GraphBuilder.along(2, "tp");
    Group dp = GraphBuilder.along(2, "dp");
    Group all = GraphBuilder.along(2, "tp", "dp", "pp");
    int grad = -1;
    for (int mb = 0; mb < 2; mb++) {
      String name = "mb" + mb + ".";
      int start = graph.compute(name + "embed", 1_000_000, 4_000_000);
      if (stage == 1) {
        start = graph.recv(name + "recv", "pp", -1, 1 << 18, mb, start);
      }
      int gather = graph.collective(name + "gather", ALL_GATHER, 1 << 17, tp, start);
      int mlp = graph.compute(name + "mlp", 2_000_000_000L, 8_000_000, gather);
      int scatter = graph.collective(name + "scatter", REDUCE_SCATTER, 1 << 18, tp, mlp);
      if (stage == 0) {
        graph.send(name + "send", "pp", 1, 1 << 18, mb, scatter);
      } else {
        scatter = graph.compute(name + "loss", 5_000, 4_000, scatter);
        graph.send(name + "back", "pp", 1, 1 << 16, 100 + mb, scatter);
      }
      grad = scatter;
    }
    if (stage == 0) {
      for (int mb = 0; mb < 2; mb++) {
        grad = graph.recv("mb" + mb + ".back", "pp", 1, 1 << 16, 100 + mb, grad);
      }
    }
    int reduced = graph.collective("grad", ALL_REDUCE, 1 << 20, dp, grad);
    int norm = graph.collective("norm", ALL_REDUCE, 1, all, reduced);
    graph.after(reduced).compute("adam", 1_000_000, 12_000_000, norm);
    return graph.build();
  }
}
