package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExprTest {
  private static final Expr A = Expr.symbol("a");
  private static final Expr B = Expr.symbol("b");

  @Test
  void aSumWithItsNegationIsZero() {
    assertThat(A.times(B).plus(A.times(B).times(-1))).isEqualTo(Expr.ZERO).hasToString("0");
    assertThat(A.minus(A)).isEqualTo(Expr.ZERO);
  }

  @Test
  void theOrderOfTermsAndFactorsDoesNotMatter() {
    Expr left = A.times(B).plus(A).plus(Expr.of(3));
    Expr right = Expr.of(3).plus(A).plus(B.times(A));
    assertThat(left).isEqualTo(right).hasSameHashCodeAs(right).hasToString("a*b + a + 3");
    assertThat(left).isNotEqualTo(right.plus(Expr.ONE));
  }

  @Test
  void aBinomialSquaredHasThreeTerms() {
    assertThat(A.plus(B).power(2)).hasToString("a^2 + 2*a*b + b^2");
    assertThat(A.plus(B).power(0)).isEqualTo(Expr.ONE);
    assertThat(Expr.ZERO.power(0)).isEqualTo(Expr.ONE);
  }

  @Test
  void aQuotientCancels() {
    assertThat(A.power(2).times(B).over(A.times(B))).isEqualTo(A);
    assertThat(A.over(A)).isEqualTo(Expr.ONE);
    assertThat(Expr.ONE.over(A.times(2))).hasToString("1/2/a");
  }

  @Test
  void onlyOneProductCanDivide() {
    assertThatThrownBy(() -> A.over(A.plus(B)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("a + b");
    assertThatThrownBy(() -> A.over(Expr.ZERO)).isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a.b", "a ", "é"})
  void aSymbolIsAnIdentifier(String name) {
    assertThatThrownBy(() -> Expr.symbol(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void symbolsAreSortedAndThoseThatCancelAreGone() {
    assertThat(Expr.parse("c*a/b + a").symbols()).containsExactly("a", "b", "c");
    assertThat(A.times(B).over(B).symbols()).containsExactly("a");
    assertThat(Expr.of(7).symbols()).isEmpty();
  }

  @Test
  void evaluationIsExact() {
    Expr expr = Expr.parse("2*a*b/c + a/2 - 1");
    assertThat(expr.evaluate(Map.of("a", 6L, "b", 4L, "c", 3L, "unused", 9L))).isEqualTo(18);
    assertThat(expr.evaluateExact(Map.of("a", 1L, "b", 1L, "c", 3L))).hasToString("1/6");
  }

  @Test
  void anUnboundSymbolIsNamed() {
    assertThatThrownBy(() -> Expr.parse("a*seq").evaluate(Map.of("a", 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'seq'");
  }

  @Test
  void aFractionIsNoWholeNumber() {
    assertThatThrownBy(() -> Expr.parse("heads/tp").evaluate(Map.of("heads", 6L, "tp", 4L)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContainingAll("heads/tp", "3/2");
  }

  @Test
  void aDivisorOfZeroIsNamed() {
    assertThatThrownBy(() -> Expr.parse("heads/tp").evaluate(Map.of("heads", 6L, "tp", 0L)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("'tp'");
    assertThat(Expr.parse("heads*tp").evaluate(Map.of("heads", 6L, "tp", 0L))).isZero();
  }

  @Test
  void valuesOf64BitsFitAndNoMore() {
    Map<String, Long> most = Map.of("a", Long.MAX_VALUE);
    Map<String, Long> least = Map.of("a", Long.MIN_VALUE);
    assertThat(A.evaluate(most)).isEqualTo(Long.MAX_VALUE);
    assertThat(A.evaluate(least)).isEqualTo(Long.MIN_VALUE);
    assertThatThrownBy(() -> A.plus(Expr.ONE).evaluate(most))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("9223372036854775808");
    assertThatThrownBy(() -> A.minus(Expr.ONE).evaluate(least))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("-9223372036854775809");
  }

  @Test
  void substitutionReplacesEachPower() {
    assertThat(Expr.parse("a^2 + a*b + b").substitute("a", Expr.parse("c + 1")))
        .isEqualTo(Expr.parse("c^2 + 2*c + 1 + b*c + 2*b"));
    assertThat(Expr.parse("b/a").substitute("a", Expr.parse("2*c"))).isEqualTo(Expr.parse("b/2/c"));
    assertThat(Expr.parse("b").substitute("a", Expr.ZERO)).isEqualTo(B);
  }

  @Test
  void substitutionOfADivisorNeedsOneProduct() {
    assertThatThrownBy(() -> Expr.parse("b/a").substitute("a", Expr.parse("c + 1")))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("c + 1");
  }

  @Test
  void anExponentBeyond32BitsIsRefusedAndDoesNotWrapAround() {
    Expr huge = A.power(Integer.MAX_VALUE);
    assertThatThrownBy(() -> huge.times(A)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> huge.power(2)).isInstanceOf(ArithmeticException.class);
  }
}
