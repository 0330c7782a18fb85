package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivedSymbolTest {
  private static final Expr A = Expr.symbol("a");
  private static final Expr B = Expr.symbol("b");
  private static final Expr C = Expr.symbol("c");

  private static long value(String text) {
    return Expr.parse(text).evaluate(Map.of("a", 7L, "b", 2L, "c", -3L));
  }

  @Test
  void smallestAndLargestAreOfAnyOrderAndNesting() {
    Expr least = Expr.min(Expr.min(C, A), B);
    assertThat(least).isEqualTo(Expr.min(A, Expr.min(B, C))).hasToString("min(a, b, c)");
    assertThat(Expr.max(B, A)).isEqualTo(Expr.max(A, B)).hasToString("max(a, b)");
    assertThat(Expr.max(C, Expr.min(B, A))).hasToString("max(c, min(a, b))");
    assertThat(Expr.min(Expr.min(A, B).times(2), C)).hasToString("min(2*min(a, b), c)");
    assertThat(Expr.min(Expr.min(A, B).power(2), C)).hasToString("min(c, min(a, b)^2)");
    assertThat(Expr.min(Expr.min(A, B).times(C), A)).hasToString("min(a, min(a, b)*c)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "min(3, 5); 3",
        "max(3, 5); 5",
        "max(-1/2, -2/3); -1/2",
        "min(a, a); a",
        "max(a, a); a",
        "min(a + 1, a); a",
        "min(a, a + 1); a",
        "max(a + 1, a); a + 1",
        "max(a, a + 1); a + 1",
        "min(a, b, a - 1, 4, 3); min(3, a - 1, b)",
        "min(2*a - a, min(a, b)); min(a, b)",
        "max(0, 0); 0",
      })
  void ofOperandsThatDifferByAConstantOneStays(String text, String kept) {
    assertThat(Expr.parse(text)).hasToString(kept);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ceil(7/2); 4",
        "ceil(-7/2); -3",
        "ceil(6/2); 3",
        "ceil(0); 0",
        "ceil(4*a/2); 2*a",
        "ceil(a^2*b - 3); a^2*b - 3",
        "ceil(ceil(a/b)); ceil(a/b)",
        "ceil(min(a, b)); min(a, b)",
        "ceil(sum(i in 0..a: i)); sum(i in 0..a: i)",
        "ceil(a/2); ceil(a/2)",
        "ceil(a/b); ceil(a/b)",
        "ceil(a + 1/2); ceil(a + 1/2)",
        "ceil(1/ceil(a/b)); ceil(1/ceil(a/b))",
        "ceil(min(a, b/2)); ceil(min(a, b/2))",
        "ceil(sum(i in 0..a: i/2)); ceil(sum(i in 0..a: i/2))",
      })
  void aCeilingIsTakenAwayWhereTheValueIsAnIntegerForSure(String text, String kept) {
    assertThat(Expr.parse(text)).hasToString(kept);
  }

  @Test
  void aQuotientRoundedUpCancelsFirst() {
    assertThat(Expr.ceilDiv(A.times(B), B.times(C))).isEqualTo(Expr.ceilDiv(A, C));
    assertThat(Expr.ceilDiv(A, B)).hasToString("ceil(a/b)");
    assertThatThrownBy(() -> Expr.ceilDiv(A, B.plus(C)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("b + c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sum(p in 0..n: p*a); sum(i in 0..n: a*i)",
        "sum(a in 0..n: i*a); sum(j in 0..n: i*j)",
        "sum(a in i..j: k*a); sum(i1 in i..j: i1*k)",
        "sum(a in i..j: k*i1*i2*a); sum(i3 in i..j: i1*i2*i3*k)",
        "sum(p in 0..p: p); sum(i in 0..p: i)",
        "sum(p in 0..n: sum(q in 0..p: p*q)); sum(i in 0..n: sum(j in 0..i: i*j))",
        "sum(j in 0..n: sum(i in 0..j: j*i)); sum(i in 0..n: sum(j in 0..i: i*j))",
        "sum(p in 0..n: sum(p in 0..p: p)); sum(i in 0..n: sum(j in 0..i: j))",
        "sum(p in 0..3: a); 3*a",
        "sum(p in n..n + 2: a); 2*a",
        "sum(p in 3..3: p); 0",
        "sum(p in n..n - 1: p); 0",
        "sum(p in 0..n: 0); 0",
        "sum(p in n/2..n/2 + 1: a); sum(i in n/2..n/2 + 1: a)",
        "sum(p in 1/2..5/2: a); sum(i in 1/2..5/2: a)",
        "sum(p in 0..1/2: a); sum(i in 0..1/2: a)",
        "sum(p in 0..n: a); sum(i in 0..n: a)",
      })
  void aSumSaysNothingOfTheNameOfItsIndex(String text, String form) {
    assertThat(Expr.parse(text)).hasToString(form);
    assertThat(Expr.parse(form)).isEqualTo(Expr.parse(text));
  }

  @Test
  void anIndexIsAnIdentifier() {
    assertThatThrownBy(() -> Expr.sum("i+", Expr.ZERO, A, B))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'i+'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "min(a, b); 2",
        "max(a, b); 7",
        "max(a, b, c); 7",
        "min(a, b, c); -3",
        "2*min(a, b)^2 + 1; 9",
        "ceil(a/b); 4",
        "ceil(c/b); -1",
        "14/max(a, b); 2",
        "sum(i in 0..a: i); 21",
        "sum(i in c..b: i^2); 15",
        "sum(i in a..b: i); 0",
        "sum(i in b..b*1: i); 0",
        "sum(i in 0..a: min(i, b)); 11",
        "sum(i in 0..a: ceil((i + 1)/b)); 16",
        "sum(i in 1..b + 1: sum(j in 0..i: i*j + a)); 23",
        "sum(i in 0..2: i/2)*2; 1",
      })
  void aDefinitionIsWorkedOutWhenNumbersAreBound(String text, long value) {
    assertThat(value(text)).isEqualTo(value);
  }

  @Test
  void theIndexHidesABindingOfItsNameInTheBodyOnly() {
    Expr sum = Expr.sum("a", Expr.ZERO, A, A);
    assertThat(sum.evaluate(Map.of("a", 4L, "i", 99L))).isEqualTo(6);
    assertThat(sum.plus(Expr.symbol("i")).evaluate(Map.of("a", 4L, "i", 99L))).isEqualTo(105);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "min(a, seq)*b",
        "max(seq, 1)",
        "ceil(seq/b)",
        "sum(i in seq..a: i)",
        "sum(i in 0..seq: i)",
        "sum(i in 0..a: seq)"
      })
  void anUnboundSymbolIsNamedWithTheWholeExpression(String text) {
    assertThatThrownBy(() -> value(text))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("symbol 'seq' of " + Expr.parse(text) + " has no value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a/min(0, b); min(0, b)",
        "sum(i in 0..a: 1/i); i",
        "ceil(a/(b*zero)); zero",
      })
  void aDivisorOfZeroIsNamed(String text, String culprit) {
    Map<String, Long> bindings = Map.of("a", 7L, "b", 2L, "zero", 0L);
    assertThatThrownBy(() -> Expr.parse(text).evaluate(bindings))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageStartingWith("symbol '" + culprit + "' divides in " + Expr.parse(text));
  }

  @Test
  void whatExceeds64BitsIsRefusedAndDoesNotWrapAround() {
    Map<String, Long> most = Map.of("a", Long.MAX_VALUE);
    assertThat(Expr.parse("max(a, 1)").evaluate(most)).isEqualTo(Long.MAX_VALUE);
    assertThat(Expr.parse("max(2*a, a) - a").evaluate(most)).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> Expr.parse("max(2*a, a)").evaluate(most))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("beyond 64 bits");
    assertThatThrownBy(() -> Expr.parse("sum(i in a..2*a: 1)").evaluate(most))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("2*a is 18446744073709551614, beyond 64 bits");
    assertThatThrownBy(() -> Expr.parse("sum(i in -a..a: i)").evaluate(most))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void theBoundsOfASumAreWholeAndNotTooFarApart() {
    assertThatThrownBy(() -> value("sum(i in 0..a/2: i)"))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("a/2 is 7/2, not a whole number");
    assertThatThrownBy(() -> value("sum(i in b..a*10^8: i)"))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("sum(i in b..100000000*a: i) has 699999998 terms; up to 16777216 are summed");
    assertThat(value("sum(i in a*10^8..b: i)")).isZero();
  }

  @Test
  void symbolsAreThoseOfTheDefinitionsButNoIndex() {
    assertThat(Expr.parse("min(b, a)*c").symbols()).containsExactly("a", "b", "c");
    assertThat(Expr.parse("ceil(d/a)").symbols()).containsExactly("a", "d");
    assertThat(Expr.parse("sum(p in from..to: p*x)").symbols()).containsExactly("from", "to", "x");
    assertThat(Expr.parse("sum(p in 0..p: p)").symbols()).containsExactly("p");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "min(a, b) + a; 3; min(3, b) + 3",
        "min(a, b); b; b",
        "max(a, 5); 3; 5",
        "a*ceil(a/b)^2; 2*b; 8*b",
        "1/ceil(a/b); 2*b; 1/2",
        "sum(i in 0..a: i*a); n + 1; sum(i in 0..n + 1: i*n + i)",
        "sum(i in a..n: b); n - 2; 2*b",
        "sum(i in 0..n: i*a); i; sum(j in 0..n: i*j)",
        "sum(i in 0..n: i*a); i*j; sum(k in 0..n: i*j*k)",
        "sum(a in 0..n: a); 7; sum(i in 0..n: i)",
        "sum(i in 0..a: sum(j in 0..i: j*a)); j; sum(i in 0..j: sum(k in 0..i: j*k))",
        "min(b, c)*a^2; min(b, c); min(b, c)^3",
      })
  void substitutionGoesIntoDefinitions(String text, String value, String result) {
    assertThat(Expr.parse(text).substitute("a", Expr.parse(value)))
        .isEqualTo(Expr.parse(result))
        .hasToString(Expr.parse(result).toString());
  }

  @Test
  void whatAnIndexIsCalledIsNotFreeToBeReplaced() {
    Expr sum = Expr.parse("sum(i in 0..n: i*b)");
    assertThat(sum.substitute("i", Expr.of(5))).isEqualTo(sum);
  }

  @Test
  void substitutionOfADerivedDivisorNeedsOneProduct() {
    assertThatThrownBy(() -> Expr.parse("b/min(a, c)").substitute("a", Expr.parse("c - 1")))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("c - 1");
  }

  @Test
  void derivedSymbolsStandBeforeOthersInAProduct() {
    Expr product = Expr.parse("heads*min(window, seq)/ceil(a/b)^2*batch");
    assertThat(product).hasToString("min(seq, window)*batch*heads/ceil(a/b)^2");
    assertThat(Expr.parse("a*b + c*min(a, b) + min(a, b)^2 + max(a, b)"))
        .hasToString("min(a, b)^2 + min(a, b)*c + a*b + max(a, b)");
  }

  @Test
  void aDerivedSymbolCountsAsOneSymbol() {
    Expr least = Expr.min(A, B);
    assertThat(least.minus(least)).isEqualTo(Expr.ZERO);
    assertThat(least.times(A).over(least)).isEqualTo(A);
    assertThat(least.plus(least)).hasToString("2*min(a, b)");
    assertThat(least.plus(A).power(2)).hasToString("min(a, b)^2 + 2*min(a, b)*a + a^2");
    assertThat(least).isNotEqualTo(Expr.max(A, B)).isNotEqualTo(A);
    assertThat(least).hasSameHashCodeAs(Expr.min(B, A));
  }
}
