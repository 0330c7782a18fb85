package org.stage.api.symbol;

import java.util.Map;
import java.util.Set;

/**
 * The smallest integer that is not below an expression.
 *
 * @param operand neither a constant nor an integer for all bindings, else it would be its own value
 */
record Ceil(Expr operand) implements Definition {
  static Expr of(Expr operand) {
    Rational constant = operand.constant();
    if (constant != null) {
      return Expr.of(constant.ceil());
    }
    return operand.isWhole() ? operand : Expr.derived(new Ceil(operand));
  }

  @Override
  public Set<String> symbols() {
    return operand.symbols();
  }

  @Override
  public Expr substitute(String symbol, Expr value) {
    return of(operand.substitute(symbol, value));
  }

  @Override
  public boolean isWhole() {
    return true;
  }

  @Override
  public Rational value(Map<String, Long> bindings, Expr whole) {
    return operand.value(bindings, whole).ceil();
  }

  @Override
  public String toString() {
    return "ceil(" + operand + ")";
  }
}
