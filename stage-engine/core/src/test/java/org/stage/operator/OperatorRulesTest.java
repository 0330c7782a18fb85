package org.stage.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.symbol.Expr;
import org.stage.operator.OperatorRule.PartialSums;

class OperatorRulesTest {
  /** A device's part of each axis. */
  private static final Map<String, Long> SIZES =
      Map.of("batch", 2L, "seq", 8L, "embed", 16L, "mlp", 4L, "heads", 6L, "kv_heads", 3L);

  private static final Map<String, AxisRole> ROLES =
      Map.of(
          "heads", AxisRole.HEADS,
          "kv_heads", AxisRole.KV_HEADS,
          "kv_seq", AxisRole.KEY_SEQUENCE);

  private record Sizes(boolean isCausal) implements Space {
    @Override
    public AxisRole role(String axis) {
      return ROLES.getOrDefault(axis, AxisRole.NONE);
    }

    @Override
    public Expr local(String axis) {
      return Expr.of(SIZES.getOrDefault(axis, 5L));
    }
  }

  private static final Space SPACE = new Sizes(false);

  private static OperatorRule rule(OperatorKind kind) {
    return OperatorRules.standard().find(kind.text()).orElseThrow();
  }

  private static Operand operand(String tensor, String... axes) {
    return new Operand(tensor, List.of(axes));
  }

  private static Operator operator(OperatorKind kind, Operand output, Operand... inputs) {
    return Operator.of("op", kind, List.of(inputs), output);
  }

  @Test
  void theOperatorsOfTheApiAreThoseThatHaveRules() {
    List<String> named =
        Arrays.stream(OperatorKind.class.getFields())
            .map(Field::getName)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .toList();
    assertThat(OperatorRules.standard().rules()).containsOnlyKeys(named);
  }

  @Test
  void anUnknownOperatorIsRefusedWithTheNearestOnes() {
    Operator f = operator(new OperatorKind("atention"), operand("o", "seq"), operand("q", "seq"));
    assertThatThrownBy(() -> OperatorRules.standard().of(f))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("o[seq] = atention(q[seq])", "attention, ");
  }

  @Test
  void aProductCountsTwoOperationsForEachPointOfItsSpace() {
    Operator up =
        operator(
            OperatorKind.EINSUM,
            operand("y", "batch", "seq", "mlp"),
            operand("x", "batch", "seq", "embed"),
            operand("w", "embed", "mlp"));
    assertThat(rule(up.kind()).flops(up, SPACE)).isEqualTo(Expr.of(2 * 2 * 8 * 16 * 4));
    assertThat(rule(up.kind()).shape(up, SPACE))
        .isEqualTo(List.of(Expr.of(1), Expr.of(16), Expr.of(4), Expr.of(16)));
    assertThat(rule(up.kind()).otherFlops(up, SPACE, Expr.of(64))).isEqualTo(Expr.ZERO);
  }

  /** Two query heads share a key/value head: 3 products of 2 x 8 rows each. */
  @Test
  void queryHeadsOfOneKeyHeadAreRowsOfOneProduct() {
    Operator scores =
        operator(
            OperatorKind.EINSUM,
            operand("s", "batch", "heads", "seq", "kv_seq"),
            operand("q", "batch", "heads", "seq", "head_dim"),
            operand("k", "batch", "kv_heads", "kv_seq", "head_dim"));
    long points = 2 * 6 * 8 * 5 * 5;
    assertThat(rule(scores.kind()).flops(scores, SPACE)).isEqualTo(Expr.of(2 * points));
    assertThat(rule(scores.kind()).flops(scores, new Sizes(true))).isEqualTo(Expr.of(points));
  }

  @ParameterizedTest
  @CsvSource({
    "einsum, PASSED_ALONE",
    "add, ADDED",
    "concat, PASSED_TOGETHER",
    "constrain, REDUCED",
    "redistribute, PASSED_ALONE",
    "gelu, REDUCED",
    "rotary, PASSED_ALONE"
  })
  void partialSumsPassWhatIsLinear(OperatorKind kind, PartialSums sums) {
    Operand x = operand("x", "batch", "embed");
    assertThat(rule(kind).partialSums(operator(kind, x, x))).isEqualTo(sums);
  }

  @Test
  void aSumCostsOneOperationLessThanItHasInputs() {
    Operand x = operand("x", "batch", "embed");
    Operator sum = operator(OperatorKind.ADD, operand("y", "batch", "embed"), x, x, x);
    assertThat(rule(sum.kind()).otherFlops(sum, SPACE, Expr.of(32))).isEqualTo(Expr.of(64));
  }

  @Test
  void rowsAreWholeOnEachDevice() {
    Operator norm =
        operator(
            OperatorKind.RMS_NORM,
            operand("y", "batch", "embed"),
            operand("x", "batch", "embed"),
            operand("w", "embed"));
    assertThat(rule(norm.kind()).wholeAxes(norm)).containsExactly("embed");
    assertThat(rule(OperatorKind.GELU).wholeAxes(norm)).isEmpty();
  }

  @Test
  void aLookUpReadsItsRowsAndItsGradientWritesThem() {
    OperatorRule lookup = rule(OperatorKind.LOOKUP);
    assertThat(lookup.read(0, Expr.of(1000), Expr.of(48))).isEqualTo(Expr.of(48));
    assertThat(lookup.read(1, Expr.of(3), Expr.of(48))).isEqualTo(Expr.of(3));
    OperatorRule gradient = rule(OperatorKind.LOOKUP_GRAD);
    assertThat(gradient.written(Expr.of(1000), Expr.of(48))).isEqualTo(Expr.of(48));
  }

  @ParameterizedTest
  @CsvSource({
    "einsum, GEMM",
    "attention_grad, ATTENTION",
    "layer_norm_grad, NORM",
    "lookup, EMBEDDING",
    "swiglu, ELEMENTWISE"
  })
  void profilersTellSortsOfWork(OperatorKind kind, Kind measured) {
    assertThat(rule(kind).measuredAs()).isEqualTo(measured);
  }

  @Test
  void whatHasNoGradientSaysSo() {
    Operand x = operand("x", "batch");
    Operator f = operator(OperatorKind.GELU_GRAD, x, x);
    assertThatThrownBy(() -> rule(f.kind()).differentiate(f, x, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no gradient is known of");
  }
}
