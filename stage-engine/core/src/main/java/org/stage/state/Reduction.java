package org.stage.state;

import java.util.List;
import java.util.Optional;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.state.StateAction.Kind;

/**
 * A reduction of gradients that their placement asks for.
 *
 * @param kind which collective
 * @param elements elements of this rank's input
 * @param type their type
 * @param group its members
 * @param parameters whose gradients
 */
public record Reduction(
    Collective.Kind kind, long elements, DataType type, Group group, List<String> parameters) {
  /** Copies the list. */
  public Reduction {
    parameters = List.copyOf(parameters);
  }

  /** It on whole gradients. */
  StateAction onWhole(Moment moment, String suffix) {
    return new StateAction(
        Kind.REDUCE,
        name(kind, group) + suffix,
        moment,
        new Work.Transfer(kind, group, type, elements),
        Optional.empty(),
        parameters);
  }

  /** The name of a reduction of gradients inside its module. */
  static String name(Collective.Kind kind, Group group) {
    return "grad." + kind.text() + "." + group.axisNames();
  }

  boolean sharesWith(Reduction other) {
    return parameters.stream().anyMatch(other.parameters::contains);
  }
}
