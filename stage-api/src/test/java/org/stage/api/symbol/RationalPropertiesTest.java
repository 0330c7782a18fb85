package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws that hold for all fractions, tried on random ones; a seed says which. */
class RationalPropertiesTest {
  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  private static Rational random(Random random) {
    return Rational.of(random.nextInt(-30, 31), random.nextInt(1, 31));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void fractionsFormAField(long seed) {
    Random random = new Random(seed);
    Rational a = random(random);
    Rational b = random(random);
    Rational c = random(random);
    assertThat(a.plus(b)).isEqualTo(b.plus(a));
    assertThat(a.times(b)).isEqualTo(b.times(a));
    assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
    assertThat(a.times(b).times(c)).isEqualTo(a.times(b.times(c)));
    assertThat(a.times(b.plus(c))).isEqualTo(a.times(b).plus(a.times(c)));
    assertThat(a.plus(a.times(Rational.of(-1)))).isEqualTo(Rational.ZERO);
    if (!a.isZero()) {
      assertThat(a.times(a.power(-1))).isEqualTo(Rational.ONE);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyResultIsInLowestTermsWithAPositiveDenominator(long seed) {
    Random random = new Random(seed);
    Rational a = random(random);
    Rational b = random(random);
    for (Rational result : new Rational[] {a, a.plus(b), a.times(b), a.power(3)}) {
      assertThat(result.numerator().gcd(result.denominator())).isEqualTo(BigInteger.ONE);
      assertThat(result.denominator()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPowerIsARepeatedProduct(long seed) {
    Rational a = random(new Random(seed));
    assertThat(a.power(4)).isEqualTo(a.times(a).times(a).times(a));
  }
}
