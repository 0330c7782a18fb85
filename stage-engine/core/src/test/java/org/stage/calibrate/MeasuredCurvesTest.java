package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.operator.OperatorRules;

/** Products of real devices: of some a profile, from which the others are predicted. */
class MeasuredCurvesTest {
  private static final int PREDICTED = 30;

  /**
   * A product.
   *
   * @param ns its measured duration, nanoseconds
   */
  private record Product(long m, long n, long k, long ns) {
    MeasuredOperator operator() {
      return Profiled.gemm(m, n, k, ns);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h100", "a100", "b200"})
  void thirtyShapesThatTheProfileHasNotAreWithinTheFactorThatItStates(String device)
      throws IOException {
    List<Product> all = products(device);
    List<Product> measured = new ArrayList<>();
    List<Product> others = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      (i % 2 == 1 && others.size() < PREDICTED ? others : measured).add(all.get(i));
    }
    List<Sample> samples = samples(measured);
    KernelMatcher matcher = new KernelMatcher(samples, OperatorRules.standard(), device);
    CalibrationReport.Holdout stated = Holdouts.of(samples, OperatorRules.standard()).get(0);
    double real = 0;
    double predicted = 0;
    for (Product each : others) {
      Match match = matcher.match(MatchingTest.gemm(each.m(), each.n(), each.k()));
      assertThat(match.isKnown()).isTrue();
      double factor = Math.max(match.ns() / each.ns(), each.ns() / match.ns());
      assertThat(factor).as(each.toString()).isLessThanOrEqualTo(stated.worstFactor());
      real += each.ns();
      predicted += match.ns();
    }
    assertThat(Math.max(real / predicted, predicted / real))
        .isLessThanOrEqualTo(stated.timeFactor());
  }

  @ParameterizedTest
  @ValueSource(strings = {"h100", "a100", "b200"})
  void aProfileOfTinyShapesMovesNoneOfThem(String device) throws IOException {
    List<Product> tiny =
        List.of(
            new Product(16, 512, 512, 17_000),
            new Product(16, 256, 512, 11_000),
            new Product(32, 512, 512, 17_500),
            new Product(16, 128, 256, 7_000));
    KernelMatcher matcher = new KernelMatcher(samples(tiny), OperatorRules.standard(), device);
    assertThat(products(device))
        .hasSizeGreaterThan(PREDICTED)
        .allMatch(
            each -> matcher.match(MatchingTest.gemm(each.m(), each.n(), each.k())).isBeyond());
  }

  private static List<Sample> samples(List<Product> products) {
    Profile profile =
        Profiled.of(0, products.stream().map(Product::operator).toArray(MeasuredOperator[]::new));
    return Samples.of(List.of(profile), 2);
  }

  private static List<Product> products(String device) throws IOException {
    List<Product> products = new ArrayList<>();
    try (InputStream in = MeasuredCurvesTest.class.getResourceAsStream("products.txt")) {
      assertThat(in).isNotNull();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(device))
          .map(line -> line.split(" "))
          .forEach(
              word ->
                  products.add(
                      new Product(
                          Long.parseLong(word[1]),
                          Long.parseLong(word[2]),
                          Long.parseLong(word[3]),
                          Math.round(1e3 * Double.parseDouble(word[4])))));
    }
    return products;
  }
}
