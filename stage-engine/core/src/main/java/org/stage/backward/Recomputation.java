package org.stage.backward;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.operator.AxisRoles;

/**
 * Which operators of a forward graph run again in backward, and which tensors are therefore not
 * kept.
 *
 * @param operators names of the operators that run again, all of them even where a result is not
 *     used (a checkpointed function is called as a whole)
 * @param tensors what they write and is not kept for that reason; what operators outside read of it
 *     is made again for their gradients too, or kept for them, as the one who asks has it
 */
public record Recomputation(Set<String> operators, Set<String> tensors) {
  /** Nothing runs again. */
  public static final Recomputation NONE = new Recomputation(Set.of(), Set.of());

  /** Copies the sets. */
  public Recomputation {
    operators = Set.copyOf(operators);
    tensors = Set.copyOf(tensors);
  }

  /** The whole module, from its inputs. */
  public static Recomputation full(Module forward) {
    return of(forward, name -> true);
  }

  /**
   * The attention core: whatever works on scores, that is on each pair of positions. What the
   * products behind it read is kept for them (Korthikanti et al., arXiv 2205.05198).
   */
  public static Recomputation selective(Module forward) {
    AxisRoles roles = AxisRoles.of(forward);
    Set<String> core = new HashSet<>();
    for (Operator operator : forward.operators()) {
      if (roles.has(operator.axes(), AxisRole.QUERY_SEQUENCE)
          && roles.has(operator.axes(), AxisRole.KEY_SEQUENCE)) {
        core.add(operator.name());
      }
    }
    Recomputation all = of(forward, core::contains);
    Set<String> tensors = new HashSet<>(all.tensors());
    for (Operator operator : forward.operators()) {
      if (!core.contains(operator.name())) {
        operator.inputs().stream().map(Operand::tensor).forEach(tensors::remove);
      }
    }
    return new Recomputation(all.operators(), tensors);
  }

  /**
   * The operators whose names are wanted; of what they write nothing is kept, whoever reads it:
   * Megatron-LM discards the output of a norm or an activation once the product behind has read it,
   * and makes it again before that product's gradient.
   */
  public static Recomputation of(Module forward, Predicate<String> again) {
    Set<String> operators = new HashSet<>();
    Set<String> tensors = new HashSet<>();
    for (Operator operator : forward.operators()) {
      if (again.test(operator.name())) {
        operators.add(operator.name());
        operator.outputs().forEach(output -> tensors.add(output.tensor()));
      }
    }
    return new Recomputation(operators, tensors);
  }
}
