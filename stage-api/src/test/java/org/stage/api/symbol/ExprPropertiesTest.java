package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws that hold for all expressions, tried on random ones; a seed says which. */
class ExprPropertiesTest {
  private static final List<String> SYMBOLS = List.of("a", "b", "dp", "seq_2");

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  private static Expr random(Random random) {
    Expr sum = Expr.ZERO;
    for (int terms = random.nextInt(5); terms > 0; terms--) {
      sum = sum.plus(randomProduct(random));
    }
    return sum;
  }

  /** One product that is not zero, as a divisor must be. */
  private static Expr randomProduct(Random random) {
    long numerator = random.nextLong(1, 10) * (random.nextBoolean() ? 1 : -1);
    Expr product = Expr.of(Rational.of(numerator, random.nextInt(1, 5)));
    for (int factors = random.nextInt(4); factors > 0; factors--) {
      String symbol = SYMBOLS.get(random.nextInt(SYMBOLS.size()));
      product = product.times(Expr.symbol(symbol).power(random.nextInt(-2, 4)));
    }
    return product;
  }

  private static Map<String, Long> randomBindings(Random random) {
    Map<String, Long> bindings = new HashMap<>();
    SYMBOLS.forEach(
        symbol -> bindings.put(symbol, random.nextLong(1, 9) * (random.nextBoolean() ? 1 : -1)));
    return bindings;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void expressionsFormACommutativeRing(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Expr b = random(random);
    Expr c = random(random);
    assertThat(a.plus(b)).isEqualTo(b.plus(a));
    assertThat(a.times(b)).isEqualTo(b.times(a));
    assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
    assertThat(a.times(b).times(c)).isEqualTo(a.times(b.times(c)));
    assertThat(a.times(b.plus(c))).isEqualTo(a.times(b).plus(a.times(c)));
    assertThat(a.plus(Expr.ZERO)).isEqualTo(a);
    assertThat(a.times(Expr.ONE)).isEqualTo(a);
    assertThat(a.times(Expr.ZERO)).isEqualTo(Expr.ZERO);
    assertThat(a.minus(b).plus(b)).isEqualTo(a);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void equalExpressionsHaveEqualHashesAndTexts(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Expr b = random(random);
    Expr left = a.plus(b).times(a.minus(b));
    Expr right = a.power(2).minus(b.power(2));
    assertThat(left).isEqualTo(right).hasSameHashCodeAs(right).hasToString(right.toString());
  }

  /** Else a map by expression is a list. */
  @Test
  void differentExpressionsHardlyEverShareAHash() {
    Set<Expr> expressions = new HashSet<>();
    seeds().forEach(seed -> expressions.add(random(new Random(seed))));
    long hashes = expressions.stream().mapToInt(Expr::hashCode).distinct().count();
    assertThat(hashes).isGreaterThan(expressions.size() * 9L / 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatDividesCancels(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Expr product = randomProduct(random);
    assertThat(a.times(product).over(product)).isEqualTo(a);
    assertThat(product.power(-3).times(product.power(3))).isEqualTo(Expr.ONE);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void evaluationIsAHomomorphism(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Expr b = random(random);
    Map<String, Long> at = randomBindings(random);
    assertThat(a.plus(b).evaluateExact(at))
        .isEqualTo(a.evaluateExact(at).plus(b.evaluateExact(at)));
    assertThat(a.times(b).evaluateExact(at))
        .isEqualTo(a.evaluateExact(at).times(b.evaluateExact(at)));
    assertThat(a.power(3).evaluateExact(at)).isEqualTo(a.evaluateExact(at).power(3));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void substitutionCommutesWithEvaluation(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Map<String, Long> at = randomBindings(random);
    Map<String, Long> replaced = new HashMap<>(at);
    // A product of b and dp with a whole coefficient: whole under any binding, and it can divide.
    Expr value = Expr.symbol("b").times(Expr.symbol("dp")).times(random.nextInt(1, 6));
    replaced.put("a", value.evaluate(at));
    assertThat(a.substitute("a", value).evaluateExact(at)).isEqualTo(a.evaluateExact(replaced));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsSubstitutedIsGone(long seed) {
    Random random = new Random(seed);
    Expr a = random(random);
    Expr without = a.substitute("a", Expr.symbol("z"));
    assertThat(without.symbols()).doesNotContain("a");
    assertThat(without.substitute("z", Expr.symbol("a"))).isEqualTo(a);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsPrintedIsReadBack(long seed) {
    Expr a = random(new Random(seed));
    assertThat(Expr.parse(a.toString())).isEqualTo(a);
    assertThat(Expr.parse("(" + a + ")*(" + a + ")")).isEqualTo(a.power(2));
  }
}
