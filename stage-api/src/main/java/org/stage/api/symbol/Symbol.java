package org.stage.api.symbol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A factor of a {@link Monomial}: a symbol that is bound to a number, or a derived one whose value
 * follows from a definition. A derived symbol is called by the canonical text of its definition,
 * which no identifier equals; so the name alone tells symbols apart, and an ordinary one costs no
 * more than its name.
 *
 * @param name an identifier, or the text of the definition
 * @param definition null for an ordinary symbol
 */
record Symbol(String name, @Nullable Definition definition) implements Comparable<Symbol> {
  static Symbol named(String name) {
    return new Symbol(name, null);
  }

  static Symbol derived(Definition definition) {
    return new Symbol(definition.toString(), definition);
  }

  /** Whether the value is an integer for all integers that symbols can be bound to. */
  boolean isWhole() {
    return definition == null || definition.isWhole();
  }

  /**
   * What stands here after {@code value} took the place of {@code name}; null if nothing changes.
   */
  @Nullable Expr substitute(String replaced, Expr value) {
    if (definition == null) {
      return name.equals(replaced) ? value : null;
    }
    return definition.symbols().contains(replaced) ? definition.substitute(replaced, value) : null;
  }

  /**
   * The value under {@code bindings}.
   *
   * @throws IllegalArgumentException if a symbol of {@code whole} is unbound
   */
  Rational value(Map<String, Long> bindings, Expr whole) {
    if (definition != null) {
      return definition.value(bindings, whole);
    }
    Long value = bindings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("symbol '" + name + "' of " + whole + " has no value");
    }
    return Rational.of(value);
  }

  /** Derived symbols first, each kind by name: {@code min(seq, window)*heads}. */
  @Override
  public int compareTo(Symbol other) {
    if ((definition == null) != (other.definition == null)) {
      return definition == null ? 1 : -1;
    }
    return name.compareTo(other.name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Symbol symbol && name.equals(symbol.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
