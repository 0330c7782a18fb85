package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MonomialTest {
  private static final Monomial A = Monomial.of("a", 1);
  private static final Monomial B = Monomial.of("b", 1);
  private static final Monomial C = Monomial.of("c", 1);

  /** The order in which terms are printed: by degree, here from 2 to -1, then by name. */
  private static final List<Monomial> IN_ORDER =
      List.of(
          A.power(2),
          A.times(B),
          A.times(C),
          B.power(2),
          A.power(2).times(B.power(-1)),
          A,
          A.times(B).times(C.power(-1)),
          B,
          Monomial.ONE,
          A.times(B.power(-1)),
          A.power(-1),
          B.power(-1));

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  @Test
  void aProductAddsExponents() {
    assertThat(A.times(B).times(A).powers())
        .containsExactly(Map.entry(Symbol.named("a"), 2), Map.entry(Symbol.named("b"), 1));
    assertThat(A.power(3).times(A.power(-5))).isEqualTo(Monomial.of("a", -2));
  }

  @Test
  void aSymbolThatCancelsIsGone() {
    assertThat(A.times(B).times(A.power(-1))).isEqualTo(B);
    assertThat(A.times(A.power(-1))).isEqualTo(Monomial.ONE);
  }

  @Test
  void aPowerMultipliesEachExponent() {
    assertThat(A.power(2).times(B.power(-1)).power(-3).powers())
        .containsExactly(Map.entry(Symbol.named("a"), -6), Map.entry(Symbol.named("b"), 3));
    assertThat(A.times(B).power(0)).isEqualTo(Monomial.ONE);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void higherDegreesAndThenEarlierNamesComeFirst(long seed) {
    List<Monomial> shuffled = new ArrayList<>(IN_ORDER);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(shuffled.stream().sorted()).containsExactlyElementsOf(IN_ORDER);
  }

  @Test
  void ofTwoProductsOneComesFirstUnlessTheyAreEqual() {
    for (int i = 0; i < IN_ORDER.size(); i++) {
      for (int j = 0; j < IN_ORDER.size(); j++) {
        assertThat(Integer.signum(IN_ORDER.get(i).compareTo(IN_ORDER.get(j))))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, a^2*b/c/d^3",
    "2, 2*a^2*b/c/d^3",
    "1/2, a^2*b/2/c/d^3",
    "3/2, 3*a^2*b/2/c/d^3",
  })
  void factorsStandBeforeWhatDivides(String coefficient, String text) {
    Monomial product = A.power(2).times(B).times(C.power(-1)).times(Monomial.of("d", -3));
    assertThat(product.print(rational(coefficient))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1/a", "7, 7, 7/a", "2/3, 2/3, 2/3/a"})
  void theCoefficientIsPrintedWhereNoFactorLeads(String coefficient, String one, String inverse) {
    assertThat(Monomial.ONE.print(rational(coefficient))).isEqualTo(one);
    assertThat(A.power(-1).print(rational(coefficient))).isEqualTo(inverse);
  }

  @Test
  void anExponentBeyond32BitsIsRefusedAndDoesNotWrapAround() {
    Monomial most = A.power(Integer.MAX_VALUE);
    Monomial least = A.power(Integer.MIN_VALUE);
    assertThatThrownBy(() -> most.times(A)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> most.power(2)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> least.times(least)).isInstanceOf(ArithmeticException.class);
  }

  private static Rational rational(String text) {
    return Expr.parse(text).evaluateExact(Map.of());
  }
}
