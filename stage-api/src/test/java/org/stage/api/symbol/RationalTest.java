package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RationalTest {
  @ParameterizedTest
  @CsvSource({
    "6, 4, 3/2",
    "6, -4, -3/2",
    "-6, -4, 3/2",
    "0, -5, 0",
    "8, 4, 2",
    "-8, 4, -2",
    "7, 1, 7"
  })
  void aFractionIsKeptInLowestTermsWithAPositiveDenominator(long over, long under, String text) {
    assertThat(Rational.of(over, under)).hasToString(text);
  }

  @Test
  void equalFractionsAreEqualHoweverTheyWereMade() {
    assertThat(Rational.of(2, -6))
        .isEqualTo(Rational.of(-1, 3))
        .hasSameHashCodeAs(Rational.of(-1, 3));
    assertThat(Rational.of(1, 3)).isNotEqualTo(Rational.of(-1, 3));
  }

  @Test
  void zeroDividesNothing() {
    assertThatThrownBy(() -> Rational.of(1, 0)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Rational.ZERO.power(-1)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void aHalfAndAThirdAreFiveSixths() {
    assertThat(Rational.of(1, 2).plus(Rational.of(1, 3))).isEqualTo(Rational.of(5, 6));
  }

  @Test
  void aSumWithItsNegationIsZero() {
    assertThat(Rational.of(3, 7).plus(Rational.of(-3, 7))).isEqualTo(Rational.ZERO);
    assertThat(Rational.of(3, 7).plus(Rational.of(-3, 7)).isZero()).isTrue();
    assertThat(Rational.of(1, 7).isZero()).isFalse();
  }

  @Test
  void aProductIsReduced() {
    assertThat(Rational.of(2, 3).times(Rational.of(9, 4))).isEqualTo(Rational.of(3, 2));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, -2/3", "2, 4/9", "3, -8/27", "-1, -3/2", "-2, 9/4", "-3, -27/8"})
  void powersOfMinusTwoThirds(int exponent, String expected) {
    assertThat(Rational.of(-2, 3).power(exponent)).hasToString(expected);
  }

  @Test
  void zeroToTheZerothIsOne() {
    assertThat(Rational.ZERO.power(0)).isEqualTo(Rational.ONE);
  }

  @Test
  void onlyADenominatorOfOneMakesAnInteger() {
    assertThat(Rational.of(4, 2).isInteger()).isTrue();
    assertThat(Rational.of(3, 2).isInteger()).isFalse();
  }

  @Test
  void numbersBeyond64BitsStayExact() {
    Rational square = Rational.of(Long.MAX_VALUE).power(2);
    assertThat(square.numerator())
        .isEqualTo(new BigInteger("85070591730234615847396907784232501249"));
  }

  @ParameterizedTest
  @CsvSource({"3, 2, 2", "-3, 2, -1", "4, 2, 2", "-4, 2, -2", "1, 3, 1", "-1, 3, 0", "0, 1, 0"})
  void theCeilingIsTheSmallestIntegerNotBelow(long numerator, long denominator, long ceiling) {
    assertThat(Rational.of(numerator, denominator).ceil()).isEqualTo(Rational.of(ceiling));
  }

  @Test
  void fractionsAreOrderedBySize() {
    assertThat(Rational.of(1, 3)).isLessThan(Rational.of(1, 2)).isGreaterThan(Rational.of(-1, 2));
    assertThat(Rational.of(2, 4)).isEqualByComparingTo(Rational.of(1, 2));
  }
}
