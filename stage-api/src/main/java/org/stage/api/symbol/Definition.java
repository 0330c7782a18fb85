package org.stage.api.symbol;

import java.util.Map;
import java.util.Set;

/**
 * What a derived symbol stands for: a function of expressions that is no polynomial. In the algebra
 * of {@link Expr} it is one opaque symbol; its value is worked out when numbers are bound.
 *
 * <p>Each kind is made by a factory that brings it to one form or to a simpler expression. {@link
 * Object#toString} prints that form, which the parser reads back; so equal text means equal
 * definitions.
 */
sealed interface Definition permits Extreme, Ceil, SumOver {
  /** The symbols on which the value depends, not the index of a sum; sorted. */
  Set<String> symbols();

  /** With {@code value} in place of each free occurrence of {@code symbol}, brought to its form. */
  Expr substitute(String symbol, Expr value);

  /** Whether the value is an integer for all integers that its symbols can be bound to. */
  boolean isWhole();

  /**
   * The exact value.
   *
   * @param whole the expression that is asked for, named in errors
   * @throws IllegalArgumentException if a symbol is unbound
   * @throws ArithmeticException if something divides by 0, or a sum has bounds that are not whole
   *     or lie too far apart
   */
  Rational value(Map<String, Long> bindings, Expr whole);
}
