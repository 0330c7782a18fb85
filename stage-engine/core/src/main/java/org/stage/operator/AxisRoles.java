package org.stage.operator;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;

/**
 * What the axes of a module are to the engine.
 *
 * @param axes by name
 */
public record AxisRoles(Map<String, Axis> axes) {
  /** Copies the map. */
  public AxisRoles {
    axes = Map.copyOf(axes);
  }

  /** The roles of a module's axes. */
  public static AxisRoles of(Module module) {
    return new AxisRoles(module.axesByName());
  }

  /** The role of an axis; none if the module has no such axis. */
  public AxisRole of(String axis) {
    Axis known = axes.get(axis);
    return known == null ? AxisRole.NONE : known.role();
  }

  /** The first of some axes that has a role. */
  public Optional<String> first(Collection<String> some, AxisRole role) {
    return some.stream().filter(axis -> of(axis) == role).findFirst();
  }

  /** Whether one of some axes has a role. */
  public boolean has(Collection<String> some, AxisRole role) {
    return first(some, role).isPresent();
  }
}
