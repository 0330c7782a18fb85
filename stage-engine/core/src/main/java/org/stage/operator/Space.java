package org.stage.operator;

import org.stage.api.graph.AxisRole;
import org.stage.api.symbol.Expr;

/** Sizes on one device, while an operator is counted. */
public interface Space {
  /** The part of an axis that a device has. */
  Expr local(String axis);

  /** What an axis is to the engine. */
  AxisRole role(String axis);

  /** Whether a mask hides half of the keys from the queries. */
  boolean isCausal();
}
