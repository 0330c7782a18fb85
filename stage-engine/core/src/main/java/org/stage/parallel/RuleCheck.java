package org.stage.parallel;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.job.Job;
import org.stage.job.Nearest;
import org.stage.job.Problems;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.operator.AxisRoles;

/** Checks that a model can be split by the user's sharding rules. */
public final class RuleCheck {
  /** What the mesh splits whatever the rules say: the batch and the sequence count on it. */
  private static final Map<AxisRole, List<String>> FIXED =
      Map.of(
          AxisRole.BATCH, List.of("dp", "ep"),
          AxisRole.SEQUENCE, List.of("cp"),
          AxisRole.NORM_SEQUENCE, List.of("cp"),
          AxisRole.EMBEDDING_SEQUENCE, List.of("cp"),
          AxisRole.QUERY_SEQUENCE, List.of("cp"));

  /** Tokens of a sequence where they have other axes than the sequence itself. */
  private static final Set<AxisRole> VIEWS_OF_SEQUENCES =
      EnumSet.of(
          AxisRole.NORM_SEQUENCE,
          AxisRole.EMBEDDING_SEQUENCE,
          AxisRole.QUERY_SEQUENCE,
          AxisRole.KEY_SEQUENCE);

  private final Job job;
  private final Map<String, List<String>> own;
  private final List<Axis> axes;
  private final AxisRoles roles;
  private final Problems problems = new Problems();

  private RuleCheck(Job job, List<Axis> axes) {
    this.job = job;
    this.own = job.strategy().rules();
    this.axes = axes;
    this.roles =
        new AxisRoles(axes.stream().collect(Collectors.toMap(Axis::name, Function.identity())));
  }

  /**
   * Two axes of one tensor that the same mesh axis shards.
   *
   * @param meshAxis the mesh axis
   * @param first an axis of the tensor
   * @param second another
   * @param tensor the tensor, with its axes
   */
  public record Conflict(String meshAxis, String first, String second, String tensor) {}

  /**
   * Checks the rules of a job.
   *
   * @param model its model
   * @param library where the modules of this are from
   * @throws InputException if a rule leaves out what the mesh splits, does not divide its axis, or
   *     shards a tensor twice
   */
  public static void run(Job job, ModelGraph model, ModuleLibrary library) {
    if (!job.strategy().rules().isEmpty()) {
      new RuleCheck(job, PlacedModel.axes(model, library)).check(model);
    }
  }

  private void check(ModelGraph model) {
    own.forEach(this::checkFixed);
    own.forEach((axis, mesh) -> checkSize(axis, mesh, size(axis)));
    DeviceMesh devices = DeviceMesh.of(job);
    ShardingRules rules = ShardingRules.of(devices, job.model().kvHeads(), job.strategy(), axes);
    checkQueries(devices, rules);
    Stream.concat(Stream.of(model.embedding(), model.head()), model.layers().stream())
        .flatMap(module -> conflict(devices, rules, module).stream())
        .findFirst()
        .ifPresent(this::refuse);
    problems.report();
  }

  private void checkFixed(String axis, List<String> rule) {
    for (String needed : FIXED.getOrDefault(roles.of(axis), List.of())) {
      if (job.mesh().degree(needed) > 1 && !rule.contains(needed)) {
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

  private void checkSize(String axis, List<String> rule, long size) {
    long parts = rule.stream().mapToLong(job.mesh()::degree).reduce(1, Math::multiplyExact);
    if (size % parts != 0) {
      String over = "mesh." + String.join(" x mesh.", rule);
      fault(
          axis,
          over + " = " + parts + " does not divide " + axis + ", which is " + size,
          Nearest.remedy(
              "Nearest that do", Nearest.fitting(parts, size, count -> size % count == 0)));
    }
  }

  /** Of tp, queries can have what heads leave. */
  private void checkQueries(DeviceMesh devices, ShardingRules rules) {
    for (Map.Entry<String, List<String>> rule : own.entrySet()) {
      boolean over = rule.getValue().contains("tp") && !devices.partsOf("tp").isEmpty();
      boolean heads = rules.of(AxisRole.CORE_HEADS).containsAll(devices.partsOf("tp"));
      if (roles.of(rule.getKey()) == AxisRole.QUERY_SEQUENCE && over && heads) {
        fault(
            rule.getKey(),
            "names tp, all of whose " + job.mesh().degree("tp") + " ranks share out heads",
            "Add heads: none, or take more ranks than heads.");
      }
    }
  }

  /** The size of an axis; 1 of one that the model lacks. */
  private long size(String axis) {
    Axis known = roles.axes().get(axis);
    Map<String, Long> bindings = PlacedModel.sizes(job);
    return known != null && bindings.keySet().containsAll(known.size().symbols())
        ? known.size().evaluate(bindings)
        : 1;
  }

  /** The first conflict in {@code module}, if there is one. */
  public static Optional<Conflict> conflict(DeviceMesh mesh, ShardingRules rules, Module module) {
    for (Operator operator : module.operators()) {
      for (Operand operand :
          Stream.concat(operator.inputs().stream(), operator.outputs().stream()).toList()) {
        for (int m = 0; m < mesh.axes().size(); m++) {
          List<String> sharded = rules.sharded(m, operand.axes());
          if (sharded.size() > 1) {
            String meshAxis = mesh.axes().get(m).part().axis();
            return Optional.of(
                new Conflict(meshAxis, sharded.get(0), sharded.get(1), operand.toString()));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Says it at the rule that the user wrote; the other axis is the one to change. */
  private void refuse(Conflict conflict) {
    boolean firstIsOwn = own.containsKey(conflict.first());
    String axis = firstIsOwn ? conflict.first() : conflict.second();
    String other = firstIsOwn ? conflict.second() : conflict.first();
    boolean sequence = VIEWS_OF_SEQUENCES.contains(roles.of(other)) && !own.containsKey(other);
    fault(
        own.containsKey(axis) ? axis : own.keySet().iterator().next(),
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
            : remedy(conflict.meshAxis(), axis, other));
  }

  /** What the mesh always splits cannot be the one to change. */
  private String remedy(String meshAxis, String axis, String other) {
    if (!FIXED.getOrDefault(roles.of(other), List.of()).contains(meshAxis)) {
      return "Add " + other + ": none, or map " + axis + " elsewhere.";
    }
    String remove = "Remove it, as mesh." + meshAxis + " always splits " + other;
    return meshAxis.equals("dp")
        ? remove + "; training.zero: 3 shards parameters over dp and gathers them for products."
        : remove + ".";
  }

  private void fault(String axis, String message, String remedy) {
    problems.add(job.origins().of("rules." + axis), message, remedy);
  }
}
