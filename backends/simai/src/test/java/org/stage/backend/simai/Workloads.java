package org.stage.backend.simai;

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
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Small jobs made by hand. */
final class Workloads {
  /** 100 TFLOP/s are 100,000 FLOPs a nanosecond; 2000 GB/s are 2000 bytes. */
  static final Hardware HARDWARE =
      new Hardware("test", Map.of("bf16", 100.0, "fp32", 10.0), 80, 2000);

  static final long FLOPS_PER_NS = 100_000;
  static final long BYTES_PER_NS = 2000;

  static final Precision PRECISION = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  static final Group TP4 = GraphBuilder.along(4, "tp");
  static final Group DP2 = GraphBuilder.along(2, "dp");

  private Workloads() {}

  static Workload of(Mesh mesh, RankClass... classes) {
    return of(mesh, Optional.of(HARDWARE), List.of(), classes);
  }

  static Workload of(
      Mesh mesh,
      Optional<Hardware> hardware,
      List<NetworkDimension> network,
      RankClass... classes) {
    return new Workload("w", "tiny", mesh, PRECISION, hardware, network, List.of(classes));
  }

  static Mesh mesh(Object... nameAndDegree) {
    return new Mesh(
        IntStream.range(0, nameAndDegree.length / 2)
            .mapToObj(
                i ->
                    new MeshAxis((String) nameAndDegree[2 * i], (Integer) nameAndDegree[2 * i + 1]))
            .toList());
  }

  /** All ranks of the mesh in one class. */
  static Workload single(Mesh mesh, GraphBuilder graph) {
    return of(mesh, ranks(0, "0-" + (mesh.devices() - 1), graph::build));
  }

  static RankClass ranks(int stage, String ranks, Supplier<ExecutionGraph> graph) {
    return new RankClass(stage, RankSet.parse(ranks), graph);
  }

  /** One attention block on tp 4, dp 2 with sequence parallelism, ZeRO 1 and two micro-batches. */
  static GraphBuilder attention() {
    GraphBuilder graph = new GraphBuilder();
    for (int mb = 0; mb < 2; mb++) {
      String layer = "mb" + mb + ".layers.0.";
      graph
          .phase(Phase.FORWARD)
          .move(layer + "attention_norm.norm", "rms_norm", 2)
          .collective(layer + "attention_norm.y.all-gather", ALL_GATHER, 256, TP4)
          .product(layer + "attention.query", 10)
          .collective(layer + "attention.y.reduce-scatter", REDUCE_SCATTER, 1024, TP4)
          .move(layer + "attention_residual", "add", 3)
          .phase(Phase.BACKWARD)
          .collective(layer + "y.grad.all-gather", ALL_GATHER, 256, TP4)
          .product(layer + "attention.query.dgrad", 20)
          .collective(layer + "attention_norm.y.all-gather.backward", ALL_GATHER, 256, TP4)
          .product(layer + "attention.query.wgrad", 30)
          .collective(layer + "attention_norm.y.grad.reduce-scatter", REDUCE_SCATTER, 1024, TP4)
          .move(layer + "attention_norm.norm.grad", "rms_norm_grad", 5);
    }
    return graph
        .collective("layers.0.grad.all-reduce.tp", ALL_REDUCE, 16, TP4)
        .collective("layers.0.grad.reduce-scatter.dp", REDUCE_SCATTER, 2048, DP2)
        .phase(Phase.OPTIMIZER)
        .move("layers.0.adam", "adam", 6)
        .collective("layers.0.parameters.all-gather", ALL_GATHER, 512, DP2);
  }
}
