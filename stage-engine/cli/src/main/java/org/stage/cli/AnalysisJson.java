package org.stage.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Phase;

/** An analysis in the form that scripts read; {@code docs/command-line.md} promises it. */
final class AnalysisJson {
  private AnalysisJson() {}

  static Map<String, Object> of(Analysis analysis) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model", model(analysis));
    json.put("mesh", mesh(analysis));
    json.put("classes", analysis.classes().stream().map(AnalysisJson::ofClass).toList());
    json.put("totals", totals(analysis));
    return json;
  }

  private static Map<String, Object> model(Analysis analysis) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", analysis.model());
    json.put("parameters", analysis.parameters());
    json.put("active_parameters", analysis.activeParameters());
    return json;
  }

  private static Map<String, Object> mesh(Analysis analysis) {
    Map<String, Object> axes = new LinkedHashMap<>();
    for (MeshAxis axis : analysis.mesh().axes()) {
      axes.put(axis.name(), axis.degree());
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("devices", analysis.mesh().devices());
    json.put("axes", axes);
    return json;
  }

  private static Map<String, Object> ofClass(Analysis.OfClass each) {
    Map<String, Object> flops = new LinkedHashMap<>();
    for (Phase phase : Phase.values()) {
      flops.put(phase.text(), each.flops().getOrDefault(phase, 0L));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("stage", each.stage());
    json.put("ranks", each.ranks().toString());
    json.put("nodes", each.nodes());
    json.put("flops", flops);
    json.put("flops_other", each.otherFlops());
    json.put("traffic", each.traffic().stream().map(AnalysisJson::traffic).toList());
    json.put("memory", memory(each.memory()));
    return json;
  }

  private static Map<String, Object> traffic(Analysis.Traffic traffic) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", traffic.kind());
    json.put("axis", traffic.axis());
    json.put("group_size", traffic.groupSize());
    json.put("dtype", traffic.type().text());
    json.put("count", traffic.count());
    json.put("elements", traffic.elements());
    json.put("bytes", traffic.bytes());
    return json;
  }

  private static Map<String, @Nullable Object> memory(Memory memory) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("peak_bytes", memory.peak());
    json.put("parameters_bytes", memory.parameters());
    json.put("gradients_bytes", memory.gradients());
    json.put("optimizer_bytes", memory.optimizer());
    json.put("activations_bytes", memory.activations());
    json.put("workspace_bytes", memory.workspace());
    // there is no inference yet
    json.put("kv_cache_bytes", null);
    return json;
  }

  private static Map<String, Object> totals(Analysis analysis) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("flops", analysis.totalFlops());
    json.put("traffic_bytes", analysis.totalTrafficBytes());
    json.put("peak_memory_bytes", analysis.peakMemoryBytes());
    return json;
  }
}
