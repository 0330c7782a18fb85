package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws that hold with derived symbols inside, each tried on 250 random expressions: 10 for a seed,
 * which names those that fail.
 */
class DerivedSymbolPropertiesTest {
  private static final int TRIED = 10;
  private static final List<String> SYMBOLS = List.of("a", "b", "i", "seq");

  /** An expression together with a way to compute it that knows nothing of expressions. */
  private record Sample(Expr expr, Computation computation) {}

  private interface Computation {
    long at(Map<String, Long> bindings);
  }

  static LongStream seeds() {
    return LongStream.range(0, 25);
  }

  private static Sample random(Random random, int depth) {
    if (depth == 0) {
      if (random.nextInt(4) == 0) {
        long constant = random.nextInt(-4, 9);
        return new Sample(Expr.of(constant), bindings -> constant);
      }
      String symbol = SYMBOLS.get(random.nextInt(SYMBOLS.size()));
      return new Sample(Expr.symbol(symbol), bindings -> bindings.get(symbol));
    }
    Sample x = random(random, depth - 1);
    Sample y = random(random, depth - 1);
    Computation f = x.computation;
    Computation g = y.computation;
    return switch (random.nextInt(6)) {
      case 0 -> new Sample(x.expr.plus(y.expr), at -> f.at(at) + g.at(at));
      case 1 -> new Sample(x.expr.times(y.expr), at -> f.at(at) * g.at(at));
      case 2 -> new Sample(Expr.min(x.expr, y.expr), at -> Math.min(f.at(at), g.at(at)));
      case 3 -> new Sample(Expr.max(x.expr, y.expr), at -> Math.max(f.at(at), g.at(at)));
      case 4 -> roundedUp(x, random.nextInt(1, 5));
      default -> sum(x, y, SYMBOLS.get(random.nextInt(SYMBOLS.size())));
    };
  }

  private static Sample roundedUp(Sample x, long divisor) {
    return new Sample(
        Expr.ceilDiv(x.expr, Expr.of(divisor)),
        at -> -Math.floorDiv(-x.computation.at(at), divisor));
  }

  /** At most 5 terms from any start. */
  private static Sample sum(Sample from, Sample body, String index) {
    Expr to = from.expr.plus(Expr.min(Expr.symbol("b"), Expr.of(5)));
    return new Sample(
        Expr.sum(index, from.expr, to, body.expr),
        at -> {
          long first = from.computation.at(at);
          Map<String, Long> inner = new HashMap<>(at);
          long sum = 0;
          for (long i = first; i < first + Math.min(at.get("b"), 5); i++) {
            inner.put(index, i);
            sum += body.computation.at(inner);
          }
          return sum;
        });
  }

  private static Sample random(Random random) {
    return random(random, 3);
  }

  private static Map<String, Long> bindings(Random random) {
    Map<String, Long> bindings = new HashMap<>();
    SYMBOLS.forEach(symbol -> bindings.put(symbol, random.nextLong(-6, 7)));
    return bindings;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theValueIsThatOfADirectComputation(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Sample sample = random(random);
      for (int i = 0; i < 4; i++) {
        Map<String, Long> at = bindings(random);
        assertThat(sample.expr.evaluate(at)).as("%s", at).isEqualTo(sample.computation.at(at));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsPrintedIsReadBack(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr expr = random(random).expr.plus(random(random).expr.times(Expr.symbol("z")));
      assertThat(Expr.parse(expr.toString())).isEqualTo(expr).hasToString(expr.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void expressionsFormACommutativeRing(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr a = random(random).expr;
      Expr b = random(random).expr;
      Expr c = random(random).expr;
      assertThat(a.plus(b)).isEqualTo(b.plus(a));
      assertThat(a.times(b)).isEqualTo(b.times(a));
      assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
      assertThat(a.times(b).times(c)).isEqualTo(a.times(b.times(c)));
      assertThat(a.times(b.plus(c))).isEqualTo(a.times(b).plus(a.times(c)));
      assertThat(a.minus(b).plus(b)).isEqualTo(a);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void extremesFormSemilattices(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr a = random(random).expr;
      Expr b = random(random).expr;
      Expr c = random(random).expr;
      assertThat(Expr.min(a, b)).isEqualTo(Expr.min(b, a)).hasSameHashCodeAs(Expr.min(b, a));
      assertThat(Expr.max(a, Expr.max(b, c))).isEqualTo(Expr.max(Expr.max(a, b), c));
      assertThat(Expr.min(a, Expr.min(b, c))).isEqualTo(Expr.min(Expr.min(c, a), b));
      assertThat(Expr.min(a, a)).isEqualTo(a);
      assertThat(Expr.max(a, Expr.max(a, b))).isEqualTo(Expr.max(a, b));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theNameOfAnIndexDoesNotMatter(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr body = random(random).expr;
      Expr to = random(random).expr;
      Expr renamed = body.substitute("i", Expr.symbol("fresh"));
      assertThat(Expr.sum("fresh", Expr.ZERO, to, renamed))
          .isEqualTo(Expr.sum("i", Expr.ZERO, to, body));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void substitutionCommutesWithEvaluation(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr expr = random(random).expr;
      Sample value = random(random, 2);
      Map<String, Long> at = bindings(random);
      Map<String, Long> replaced = new HashMap<>(at);
      replaced.put("a", value.computation.at(at));
      assertThat(expr.substitute("a", value.expr).evaluate(at)).isEqualTo(expr.evaluate(replaced));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsSubstitutedIsGone(long seed) {
    Random random = new Random(seed);
    for (int tried = 0; tried < TRIED; tried++) {
      Expr expr = random(random).expr;
      Expr without = expr.substitute("a", Expr.symbol("z"));
      assertThat(without.symbols()).doesNotContain("a");
      assertThat(without.substitute("z", Expr.symbol("a"))).isEqualTo(expr);
    }
  }
}
