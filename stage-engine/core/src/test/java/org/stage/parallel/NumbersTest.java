package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Precision;
import org.stage.api.workload.SubAxis;
import org.stage.module.SizeSymbols;

class NumbersTest {
  private static final DeviceMesh MESH =
      DeviceMesh.of(new Mesh(List.of(new MeshAxis("tp", 4), new MeshAxis("dp", 2))), 2);
  private static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  private static final Numbers NUMBERS =
      new Numbers(MESH, Map.of("rows", 10L, "experts", 4L, "width", 3L), MIXED, false);

  private static final Expr ROWS = Expr.symbol("rows");
  private static final Expr EXPERTS = Expr.symbol("experts");
  private static final Expr WIDTH = Expr.symbol("width");

  /** 10 rows of 4 experts: 4 products of 2 1/2 rows each are 2 of 5. */
  @Test
  void rowsThatDoNotDivideEvenlyMakeFewerProductsOfAsManyRows() {
    Expr each = ROWS.over(EXPERTS);
    assertThat(NUMBERS.shape(List.of(EXPERTS, each, WIDTH, WIDTH)))
        .isEqualTo(new MatrixShape(2, 5, 3, 3, 3));
    assertThat(NUMBERS.shape(List.of(EXPERTS, WIDTH, WIDTH, WIDTH, Expr.of(7))))
        .isEqualTo(new MatrixShape(4, 3, 3, 3, 7));
    assertThatThrownBy(() -> NUMBERS.shape(List.of(WIDTH, each, WIDTH, WIDTH)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void elementsHaveBytesByWhatTheyStandFor() {
    assertThat(NUMBERS.bytes(Map.of(Element.WEIGHT, ROWS, Element.GRADIENT, WIDTH)))
        .isEqualTo(10 * 2 + 3 * 4);
  }

  /** tp is cut in two by two key/value heads: 0 and 1 are its factors, 2 is dp. */
  @Test
  void groupsAreWrittenWithDataParallelismFirst() {
    assertThat(NUMBERS.group(List.of(0, 1, 2)))
        .isEqualTo(new Group.Along(List.of(new SubAxis("dp", 1, 2), new SubAxis("tp", 1, 4))));
  }

  @Test
  void onlyActivationsOverTensorParallelismGoInSinglePrecision() {
    Numbers single = new Numbers(MESH, Map.of(), MIXED, true);
    assertThat(single.type(Element.ACTIVATION, List.of(1))).isEqualTo(DataType.FP32);
    assertThat(single.type(Element.ACTIVATION, List.of(2))).isEqualTo(DataType.BF16);
    assertThat(single.type(Element.WEIGHT, List.of(1))).isEqualTo(DataType.BF16);
    assertThat(NUMBERS.type(Element.ACTIVATION, List.of(1))).isEqualTo(DataType.BF16);
  }

  @Test
  void anExchangeIsOfTheRowsOfTheFullestRank() {
    Numbers rows = NUMBERS.with(Map.of(SizeSymbols.HELD_ROWS, 5L, SizeSymbols.MOST_ROWS, 9L));
    Expr held = Expr.symbol(SizeSymbols.HELD_ROWS).times(2);
    assertThat(rows.of(held)).isEqualTo(10);
    assertThat(rows.exchanged(held)).isEqualTo(18);
  }
}
