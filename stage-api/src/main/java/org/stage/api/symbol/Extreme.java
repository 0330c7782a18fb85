package org.stage.api.symbol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The smallest or the largest of several expressions. One form: operands that are such themselves
 * are replaced by their operands; of operands that differ by a constant one stays; the rest is
 * sorted by text.
 *
 * @param smallest whether the smallest is meant
 * @param operands two or more, no two of which differ by a constant
 */
record Extreme(boolean smallest, List<Expr> operands) implements Definition {
  static Expr of(boolean smallest, Collection<Expr> all) {
    List<Expr> kept = new ArrayList<>();
    for (Expr operand : all) {
      if (operand.definition() instanceof Extreme inner && inner.smallest == smallest) {
        inner.operands.forEach(each -> offer(smallest, each, kept));
      } else {
        offer(smallest, operand, kept);
      }
    }
    kept.sort(Comparator.comparing(Expr::toString));
    return kept.size() == 1 ? kept.get(0) : Expr.derived(new Extreme(smallest, List.copyOf(kept)));
  }

  /** To differ by a constant is an equivalence, so at most one of those kept is concerned. */
  private static void offer(boolean smallest, Expr operand, List<Expr> kept) {
    for (int i = 0; i < kept.size(); i++) {
      Rational more = operand.minus(kept.get(i)).constant();
      if (more != null) {
        if (smallest ? more.numerator().signum() < 0 : more.numerator().signum() > 0) {
          kept.set(i, operand);
        }
        return;
      }
    }
    kept.add(operand);
  }

  @Override
  public Set<String> symbols() {
    Set<String> symbols = new TreeSet<>();
    operands.forEach(operand -> symbols.addAll(operand.symbols()));
    return symbols;
  }

  @Override
  public Expr substitute(String symbol, Expr value) {
    return of(smallest, operands.stream().map(each -> each.substitute(symbol, value)).toList());
  }

  @Override
  public boolean isWhole() {
    return operands.stream().allMatch(Expr::isWhole);
  }

  @Override
  public Rational value(Map<String, Long> bindings, Expr whole) {
    List<Rational> values = operands.stream().map(each -> each.value(bindings, whole)).toList();
    return values.stream().reduce((a, b) -> a.compareTo(b) < 0 == smallest ? a : b).orElseThrow();
  }

  @Override
  public String toString() {
    String list = String.join(", ", operands.stream().map(Expr::toString).toList());
    return (smallest ? "min(" : "max(") + list + ")";
  }
}
