package org.stage.parallel;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;

/**
 * The work of one kernel on one device, symbolic.
 *
 * @param flops FLOPs of its matrix products, one multiply-add being 2
 * @param otherFlops all other operations
 * @param shape batch, m, n, k of the products, of attention also the width of values; empty without
 * @param read elements read, by what they stand for
 * @param written elements written, likewise
 */
public record KernelCost(
    Expr flops,
    Expr otherFlops,
    List<Expr> shape,
    Map<Element, Expr> read,
    Map<Element, Expr> written) {
  /** Copies list and maps. */
  public KernelCost {
    shape = List.copyOf(shape);
    read = Map.copyOf(new TreeMap<>(read));
    written = Map.copyOf(new TreeMap<>(written));
  }
}
