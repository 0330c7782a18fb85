package org.stage.api.graph;

import org.stage.api.symbol.Expr;

/**
 * A logical axis of a module: what sharding rules map to mesh axes. Two axes may have one size:
 * {@code seq} and {@code norm_seq} are the same dimension of a tensor seen by different operators.
 *
 * @param name for example {@code batch}, {@code seq}, {@code embed}, {@code kv_heads}
 * @param size its extent in elements over the whole job, before sharding
 * @param role what it is to the engine
 */
public record Axis(String name, Expr size, AxisRole role) {
  /** An axis that is nothing in particular to the engine. */
  public Axis(String name, Expr size) {
    this(name, size, AxisRole.NONE);
  }
}
