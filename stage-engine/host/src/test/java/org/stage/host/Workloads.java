package org.stage.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** A job of two ranks that do nothing. */
final class Workloads {
  private static final RankSet RANKS = RankSet.of(IntStream.range(0, 2));

  private Workloads() {}

  static Workload of(Supplier<ExecutionGraph> graph) {
    return new Workload(
        "workload",
        "tiny",
        new Mesh(List.of(new MeshAxis("dp", 2))),
        new Precision(DataType.BF16, DataType.BF16, DataType.FP32),
        Optional.empty(),
        List.of(),
        List.of(new RankClass(0, RANKS, graph)));
  }

  static ExportRun.Request request(Workload workload, Cancellation cancellation) {
    return new ExportRun.Request(
        workload, new OptionValues(Map.of()), RANKS, Progress.NONE, cancellation, List.of());
  }

  static ExportRun.Request request() {
    return request(of(() -> new ExecutionGraph(List.of(), List.of())), () -> {});
  }

  /** Runs an exporter and puts its files into place. */
  static ExportRun.Result export(
      ExportRun run, Extension<Exporter> exporter, ExportRun.Request request) {
    ExportRun.Result result = run.prepare(exporter, request);
    run.publish(exporter, result);
    return result;
  }
}
