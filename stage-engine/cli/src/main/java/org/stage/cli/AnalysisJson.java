package org.stage.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Phase;
import org.stage.app.Json;

/** An analysis in the form that scripts read; {@code docs/command-line.md} promises it. */
final class AnalysisJson {
  private AnalysisJson() {}

  static Map<String, Object> of(Analysis analysis) {
    return Json.object(
        "model", model(analysis),
        "mesh", mesh(analysis),
        "classes", analysis.classes().stream().map(AnalysisJson::ofClass).toList(),
        "totals", totals(analysis));
  }

  /** A job by its model and its mesh. */
  static Map<String, Object> job(Analysis analysis) {
    return Json.object("model", model(analysis), "mesh", mesh(analysis));
  }

  private static Map<String, Object> model(Analysis analysis) {
    return Json.object(
        "name", analysis.model(),
        "parameters", analysis.parameters(),
        "active_parameters", analysis.activeParameters());
  }

  private static Map<String, Object> mesh(Analysis analysis) {
    Map<String, Object> axes = new LinkedHashMap<>();
    for (MeshAxis axis : analysis.mesh().axes()) {
      axes.put(axis.name(), axis.degree());
    }
    return Json.object("devices", analysis.mesh().devices(), "axes", axes);
  }

  private static Map<String, Object> ofClass(Analysis.OfClass each) {
    Map<String, Object> flops = new LinkedHashMap<>();
    for (Phase phase : Phase.values()) {
      flops.put(phase.text(), each.flops().getOrDefault(phase, 0L));
    }
    return Json.object(
        "stage", each.stage(),
        "ranks", each.ranks().toString(),
        "nodes", each.nodes(),
        "flops", flops,
        "flops_other", each.otherFlops(),
        "traffic", each.traffic().stream().map(AnalysisJson::traffic).toList(),
        "memory", memory(each.memory()));
  }

  private static Map<String, Object> traffic(Analysis.Traffic traffic) {
    return Json.object(
        "kind", traffic.kind(),
        "axis", traffic.axis(),
        "group_size", traffic.groupSize(),
        "dtype", traffic.type().text(),
        "count", traffic.count(),
        "elements", traffic.elements(),
        "bytes", traffic.bytes());
  }

  private static Map<String, @Nullable Object> memory(Memory memory) {
    return Json.object(
        "peak_bytes", memory.peak(),
        "parameters_bytes", memory.parameters(),
        "gradients_bytes", memory.gradients(),
        "optimizer_bytes", memory.optimizer(),
        "activations_bytes", memory.activations(),
        "workspace_bytes", memory.workspace(),
        // there is no inference yet
        "kv_cache_bytes", null);
  }

  private static Map<String, Object> totals(Analysis analysis) {
    return Json.object(
        "flops", analysis.totalFlops(),
        "traffic_bytes", analysis.totalTrafficBytes(),
        "peak_memory_bytes", analysis.peakMemoryBytes());
  }
}
