package org.stage.spec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.api.workload.Mesh;
import org.stage.model.ModelGraph;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.RuleCheck;
import org.stage.parallel.ShardingRules;

/** Reads the user's sharding rules, and checks that the model can be split by them. */
final class RulesReader {
  private static final String NONE = "none";

  /** What the mesh splits whatever the rules say: the reader of the training step counts on it. */
  private static final Map<String, List<String>> FIXED =
      Map.of(
          "batch", List.of("dp", "ep"),
          "seq", List.of("cp"),
          "norm_seq", List.of("cp"),
          "embed_seq", List.of("cp"));

  private final Values values;
  private final Problems problems;

  RulesReader(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  /** Mesh axes by logical axis, in the order of the table of keys. */
  Map<String, List<String>> read() {
    Map<String, List<String>> rules = new LinkedHashMap<>();
    for (Key key : Keys.in("rules")) {
      values.node(key.path()).ifPresent(node -> rules.put(key.name(), axes(node)));
    }
    return rules;
  }

  private static List<String> axes(Node node) {
    if (node instanceof Node.Items items) {
      return items.items().stream().map(item -> ((Node.Scalar) item).raw()).toList();
    }
    String word = ((Node.Scalar) node).raw();
    return word.equals(NONE) ? List.of() : List.of(word);
  }

  /** Checks the rules of a workload that is complete but for them. */
  void check(WorkloadSpec spec) {
    if (spec.rules().isEmpty()) {
      return;
    }
    DeviceMesh devices = spec.deviceMesh();
    spec.rules().forEach((axis, mesh) -> checkFixed(axis, mesh, spec.mesh()));
    Map<String, Long> sizes = sizes(spec);
    spec.rules()
        .forEach((axis, mesh) -> checkSize(axis, mesh, spec.mesh(), sizes.getOrDefault(axis, 1L)));
    ShardingRules rules = spec.shardingRules(devices);
    ModelGraph graph = ModelGraph.of(spec.model(), spec.modelOptions());
    List<Module> modules = new ArrayList<>(List.of(graph.embedding(), graph.head()));
    if (spec.model().expertLayers() < spec.model().layers()) {
      modules.add(graph.denseLayer());
    }
    if (spec.model().expertLayers() > 0) {
      modules.add(graph.expertLayer());
    }
    modules.stream()
        .flatMap(module -> RuleCheck.conflict(devices, rules, module).stream())
        .findFirst()
        .ifPresent(conflict -> refuse(conflict, spec.rules().keySet()));
  }

  private void checkFixed(String axis, List<String> rule, Mesh mesh) {
    for (String needed : FIXED.getOrDefault(axis, List.of())) {
      if (mesh.degree(needed) > 1 && !rule.contains(needed)) {
        List<String> more = new ArrayList<>(List.of(needed));
        more.addAll(rule);
        fault(
            axis,
            "lacks " + needed + ", along which mesh." + needed + " splits it",
            "Write [" + String.join(", ", more) + "].");
        return;
      }
    }
  }

  private void checkSize(String axis, List<String> rule, Mesh mesh, long size) {
    long parts = rule.stream().mapToLong(mesh::degree).reduce(1, Math::multiplyExact);
    if (size % parts != 0) {
      String over = "mesh." + String.join(" x mesh.", rule);
      fault(
          axis,
          over + " = " + parts + " does not divide " + axis + ", which is " + size,
          Nearest.remedy(
              "Nearest that do", Nearest.fitting(parts, size, count -> size % count == 0)));
    }
  }

  private static Map<String, Long> sizes(WorkloadSpec spec) {
    Training training = spec.training();
    Map<String, Long> sizes = new HashMap<>(spec.model().sizes());
    int split = spec.mesh().degree("dp") * spec.mesh().degree("ep");
    sizes.put("batch", (long) training.microBatch() * split);
    List.of("seq", "norm_seq", "embed_seq").forEach(axis -> sizes.put(axis, (long) training.seq()));
    sizes.put("vocab", (long) training.paddedVocab());
    sizes.put("expert", sizes.getOrDefault("experts", 1L));
    for (String view : List.of("residual", "embed_in", "embed_out")) {
      sizes.put(view, sizes.getOrDefault("embed", 1L));
    }
    for (String axis : List.of("heads", "kv_heads", "mlp")) {
      sizes.put(axis + "_out", sizes.getOrDefault(axis, 1L));
    }
    return sizes;
  }

  /** Says it at the rule that the user wrote; the other axis is the one to change. */
  private void refuse(RuleCheck.Conflict conflict, Set<String> own) {
    boolean firstIsOwn = own.contains(conflict.first());
    String axis = firstIsOwn ? conflict.first() : conflict.second();
    String other = firstIsOwn ? conflict.second() : conflict.first();
    boolean sequence = other.endsWith("_seq") && !own.contains(other);
    fault(
        own.contains(axis) ? axis : own.iterator().next(),
        conflict.meshAxis()
            + " shards both "
            + axis
            + " and "
            + other
            + " of "
            + conflict.tensor()
            + "; one device would hold only parts of the diagonal",
        sequence
            ? "Set training.sequence_parallel to false, or rules." + other + "."
            : "Add " + other + ": none, or map " + axis + " elsewhere.");
  }

  private void fault(String axis, String message, String remedy) {
    String key = "rules." + axis;
    problems.add(values.place(key), key, message, remedy);
  }
}
