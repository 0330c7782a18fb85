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
 * @param tensors what they write, but for what an operator outside reads: that is kept for its
 *     gradient
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

  /** The attention core: whatever works on scores, that is on each pair of positions. */
  public static Recomputation selective(Module forward) {
    AxisRoles roles = AxisRoles.of(forward);
    Set<String> core = new HashSet<>();
    for (Operator operator : forward.operators()) {
      if (roles.has(operator.axes(), AxisRole.QUERY_SEQUENCE)
          && roles.has(operator.axes(), AxisRole.KEY_SEQUENCE)) {
        core.add(operator.name());
      }
    }
    return of(forward, core::contains);
  }

  /** The operators whose names are wanted. */
  public static Recomputation of(Module forward, Predicate<String> again) {
    Set<String> operators = new HashSet<>();
    Set<String> tensors = new HashSet<>();
    for (Operator operator : forward.operators()) {
      if (again.test(operator.name())) {
        operators.add(operator.name());
        operator.outputs().forEach(output -> tensors.add(output.tensor()));
      }
    }
    for (Operator operator : forward.operators()) {
      if (!operators.contains(operator.name())) {
        operator.inputs().stream().map(Operand::tensor).forEach(tensors::remove);
      }
    }
    return new Recomputation(operators, tensors);
  }
}
