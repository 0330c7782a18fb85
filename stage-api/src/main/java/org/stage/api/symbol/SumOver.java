package org.stage.api.symbol;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The sum of an expression over the integers of a half-open range. The index is bound: what it is
 * called says nothing. One form: it is called by the first of {@code i, j, k, i1, i2, ...} that
 * names no free symbol. A sum inside is renamed by the same rule whenever something is put into it,
 * so that sums that differ in the names of indices only are equal.
 *
 * @param index the symbol that counts
 * @param from its first value
 * @param to the value behind its last; none are summed if it is not above {@code from}
 * @param body what is summed
 */
record SumOver(String index, Expr from, Expr to, Expr body) implements Definition {
  /** A size from a file must not be able to let an evaluation run without end. */
  static final long MOST_TERMS = 1 << 24;

  static Expr of(String index, Expr from, Expr to, Expr body) {
    Rational terms = from.isWhole() && to.isWhole() ? to.minus(from).constant() : null;
    if (body.equals(Expr.ZERO) || (terms != null && terms.numerator().signum() <= 0)) {
      return Expr.ZERO;
    }
    if (terms != null && !body.symbols().contains(index)) {
      return body.times(Expr.of(terms));
    }
    Set<String> free = new TreeSet<>(body.symbols());
    free.remove(index);
    free.addAll(from.symbols());
    free.addAll(to.symbols());
    String name = unused(free);
    return Expr.derived(new SumOver(name, from, to, body.substitute(index, Expr.symbol(name))));
  }

  private static String unused(Set<String> names) {
    for (String name : new String[] {"i", "j", "k"}) {
      if (!names.contains(name)) {
        return name;
      }
    }
    int number = 1;
    while (names.contains("i" + number)) {
      number++;
    }
    return "i" + number;
  }

  @Override
  public Set<String> symbols() {
    Set<String> symbols = new TreeSet<>(body.symbols());
    symbols.remove(index);
    symbols.addAll(from.symbols());
    symbols.addAll(to.symbols());
    return symbols;
  }

  /** Renames the index first where it would catch a symbol of {@code value} or the one replaced. */
  @Override
  public Expr substitute(String symbol, Expr value) {
    Set<String> used = new TreeSet<>(value.symbols());
    used.add(symbol);
    String name = index;
    if (used.contains(index)) {
      used.addAll(body.symbols());
      name = unused(used);
    }
    Expr open = body.substitute(index, Expr.symbol(name)).substitute(symbol, value);
    return of(name, from.substitute(symbol, value), to.substitute(symbol, value), open);
  }

  @Override
  public boolean isWhole() {
    return body.isWhole();
  }

  @Override
  public Rational value(Map<String, Long> bindings, Expr whole) {
    long first = from.whole(bindings, whole);
    long end = to.whole(bindings, whole);
    if (end > first && Math.subtractExact(end, first) > MOST_TERMS) {
      throw new ArithmeticException(
          this + " has " + (end - first) + " terms; up to " + MOST_TERMS + " are summed");
    }
    Map<String, Long> inner = new HashMap<>(bindings);
    Rational sum = Rational.ZERO;
    for (long i = first; i < end; i++) {
      inner.put(index, i);
      sum = sum.plus(body.value(inner, whole));
    }
    return sum;
  }

  @Override
  public String toString() {
    return "sum(" + index + " in " + from + ".." + to + ": " + body + ")";
  }
}
