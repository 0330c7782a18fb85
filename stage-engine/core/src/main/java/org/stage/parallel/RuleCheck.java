package org.stage.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;

/** Finds what rules would shard twice. */
public final class RuleCheck {
  private RuleCheck() {}

  /**
   * Two axes of one tensor that the same mesh axis shards.
   *
   * @param meshAxis the mesh axis
   * @param first an axis of the tensor
   * @param second another
   * @param tensor the tensor, with its axes
   */
  public record Conflict(String meshAxis, String first, String second, String tensor) {}

  /** The first conflict in {@code module}, if there is one. */
  public static Optional<Conflict> conflict(DeviceMesh mesh, ShardingRules rules, Module module) {
    for (Operator operator : module.operators()) {
      for (Operand operand :
          Stream.concat(operator.inputs().stream(), operator.outputs().stream()).toList()) {
        for (int m = 0; m < mesh.axes().size(); m++) {
          List<String> sharded = new ArrayList<>();
          for (String axis : operand.axes()) {
            if (rules.shards(m, axis)) {
              sharded.add(axis);
            }
          }
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
}
