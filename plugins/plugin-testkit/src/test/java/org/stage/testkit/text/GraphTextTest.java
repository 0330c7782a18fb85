package org.stage.testkit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.text.GraphText;
import org.stage.api.text.ParsedOperator;

class GraphTextTest {
  private static final String MLP =
      """
      module mlp
      axis batch, norm_seq = seq, seq, embed, mlp, half = mlp/2 + 1
      input x[batch, norm_seq, embed]
      input labels[batch, seq]:index
      parameter up.weight[embed, mlp]:weight
      up: h[batch, seq, mlp] = einsum(x[batch, seq, embed], up.weight[embed, mlp])
      stats: m[batch]:statistic, n[] = layer_norm(h[batch, seq, mlp], up.weight[embed, mlp])
      output h, x
      """;

  private static Module mlp() {
    Tensor x = new Tensor("x", List.of("batch", "norm_seq", "embed"), Element.ACTIVATION);
    Tensor labels = new Tensor("labels", List.of("batch", "seq"), Element.INDEX);
    Tensor weight = new Tensor("up.weight", List.of("embed", "mlp"), Element.WEIGHT);
    Tensor h = new Tensor("h", List.of("batch", "seq", "mlp"), Element.ACTIVATION);
    Tensor m = new Tensor("m", List.of("batch"), Element.STATISTIC);
    Tensor n = new Tensor("n", List.of(), Element.ACTIVATION);
    Operand product = new Operand("h", h.axes());
    Operand upWeight = new Operand("up.weight", weight.axes());
    Operand whole = new Operand("x", List.of("batch", "seq", "embed"));
    List<Operand> statistics = List.of(new Operand("m", m.axes()), new Operand("n", n.axes()));
    return new Module(
        "mlp",
        List.of(
            new Axis("batch", Expr.symbol("batch")),
            new Axis("norm_seq", Expr.symbol("seq")),
            new Axis("seq", Expr.symbol("seq")),
            new Axis("embed", Expr.symbol("embed")),
            new Axis("mlp", Expr.symbol("mlp")),
            new Axis("half", Expr.parse("mlp/2 + 1"))),
        List.of(x, labels),
        List.of(weight),
        List.of(
            Operator.of("up", OperatorKind.EINSUM, List.of(whole, upWeight), product),
            new Operator("stats", OperatorKind.LAYER_NORM, List.of(product, upWeight), statistics)),
        List.of(h, m, n),
        List.of("h", "x"));
  }

  @Test
  void aModuleIsPrintedOneThingALine() {
    assertThat(GraphText.print(mlp())).isEqualTo(MLP);
  }

  @Test
  void theTextIsReadBack() {
    assertThat(GraphTextParser.parse(MLP)).isEqualTo(mlp());
  }

  @Test
  void commentsBlanksAndTheOrderOfDeclarationsDoNotMatter() {
    String text =
        """
        # feed-forward
        module mlp  # the name

           axis batch,norm_seq=seq
        up:h[batch,seq,mlp]=einsum( x[ batch ,seq, embed ] , up.weight[embed,mlp] )#product
        axis seq, embed, mlp, half = 1 + mlp / 2
        parameter up.weight[embed, mlp] : weight
        \tstats: m[batch]:statistic, n[]:activation = layer_norm(h[batch, seq, mlp], up.weight[embed, mlp])
        input x[batch, norm_seq, embed], labels[batch, seq]:index
        output h
        output x
        """;
    assertThat(GraphTextParser.parse(text)).isEqualTo(mlp());
    assertThat(GraphTextParser.parse(text.replace("\n", "\r\n"))).isEqualTo(mlp());
  }

  @Test
  void anAxisThatIsNotDeclaredHasItsOwnSymbolAsSize() {
    Module module =
        GraphTextParser.parse(
            """
            module m
            axis kv_seq = seq
            input x[batch, embed]
            a: y[batch, kv_seq] = reduce_sum(x[rows, embed])
            """);
    assertThat(module.axes())
        .containsExactly(
            new Axis("kv_seq", Expr.symbol("seq")),
            new Axis("batch", Expr.symbol("batch")),
            new Axis("embed", Expr.symbol("embed")),
            new Axis("rows", Expr.symbol("rows")));
  }

  @Test
  void aModuleOfNothingIsItsName() {
    Module empty =
        new Module("none", List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    assertThat(GraphText.print(empty)).isEqualTo("module none\n");
    assertThat(GraphTextParser.parse("module none")).isEqualTo(empty);
  }

  @Test
  void operatorsMayBeCalledLikeKeywords() {
    String text = "module m\naxis a\ninput x[a]\noutput: output[a] = gelu(x[a])\noutput output\n";
    assertThat(GraphText.print(GraphTextParser.parse(text))).isEqualTo(text);
  }

  @Test
  void oneLineIsReadIntoAnOperatorAndItsTensors() {
    ParsedOperator parsed =
        GraphText.parseOperator("core: o[b, h], lse[b]:statistic = attention(q[b, h], k[s, h])");
    assertThat(parsed.operator())
        .isEqualTo(
            new Operator(
                "core",
                OperatorKind.ATTENTION,
                List.of(new Operand("q", List.of("b", "h")), new Operand("k", List.of("s", "h"))),
                List.of(new Operand("o", List.of("b", "h")), new Operand("lse", List.of("b")))));
    assertThat(parsed.outputs())
        .containsExactly(
            new Tensor("o", List.of("b", "h"), Element.ACTIVATION),
            new Tensor("lse", List.of("b"), Element.STATISTIC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x[a, b]; ACTIVATION; x[a, b]",
        "x[a,b]:weight # comment; WEIGHT; x[a, b]:weight",
        "'  x[] : gradient'; GRADIENT; x[]:gradient",
        "a.b_1.x[7]:index; INDEX; a.b_1.x[7]:index",
      })
  void aTensorIsNameAxesAndElement(String text, Element element, String printed) {
    Tensor tensor = GraphText.parseTensor(text);
    assertThat(tensor.element()).isEqualTo(element);
    assertThat(GraphText.print(tensor)).isEqualTo(printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "x; expected '[' at character 2, found the end",
        "x[a; expected ',' or ']' at character 4, found the end",
        "x[a b]; expected ',' or ']' at character 5, found 'b'",
        "x[a,]; expected the name of an axis at character 5, found ']'",
        "x[a] y; expected the end of the line at character 6, found 'y'",
        "[a]; expected the name of a tensor at character 1, found '['",
        "x[a]:; expected an element at character 6, found the end",
      })
  void aTensorOfAnotherFormIsRefusedWithWhatWasExpected(String text, String reason) {
    assertThatThrownBy(() -> GraphText.parseTensor(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "': " + reason);
  }

  @Test
  void anUnknownElementIsRefusedWithTheNearestOnes() {
    assertThatThrownBy(() -> GraphText.parseTensor("x[a]:wait"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'x[a]:wait': 'wait' is not an element; nearest: weight, ");
  }

  @Test
  void aKindIsNamedInLowerCase() {
    assertThat(GraphText.parseOperator("core: o[b] = fused_2(q[b])").operator().kind())
        .isEqualTo(new OperatorKind("fused_2"));
    assertThatThrownBy(() -> GraphText.parseOperator("core: o[b] = Fused(q[b])"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'core: o[b] = Fused(q[b])': 'Fused' is not an operator kind");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "o[b] = add(q[b]); expected ':' at character 2, found '['",
        "a: = add(q[b]); expected the name of a tensor at character 4, found '='",
        "a: o[b] add(q[b]); expected '=' at character 9, found 'a'",
        "a: o[b] = add q[b]; expected '(' at character 15, found 'q'",
        "a: o[b] = add(q[b] r[b]); expected ',' or ')' at character 20, found 'r'",
        "a: o[b] = add(q[b]:weight); expected ',' or ')' at character 19, found ':'",
        "a: o[b] = add(q[b]; expected ',' or ')' at character 19, found the end",
        "a: o[b] = add(q[b])); expected the end of the line at character 20, found ')'",
      })
  void anOperatorOfAnotherFormIsRefusedWithWhatWasExpected(String line, String reason) {
    assertThatThrownBy(() -> GraphText.parseOperator(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + line + "': " + reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "y[b] = gelu(x[b]); expected ':' after the operator y, or axis, input, parameter, output",
        "inputs z[b]; expected ':' after the operator inputs, or axis, input, parameter, output",
        "axis b = 2*; the size of b: '2*': the end at character 3 is not expected",
        "axis b =; expected a size at character 9, found the end",
        "output z[b]; expected the end of the line at character 9, found '['",
        "input z; expected '[' at character 8, found the end",
        "= gelu; expected the name of an operator or one of axis, input, parameter, output at"
            + " character 1, found '='",
      })
  void aLineOfAnotherFormIsRefusedWithItsNumber(String line, String reason) {
    String text = "module m\n\n# a comment\n  " + line + "\ninput x[b]\n";
    assertThatThrownBy(() -> GraphTextParser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 4: '" + line + "': " + reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "\"\"; the text is empty: expected 'module <name>'",
        "# nothing; the text is empty: expected 'module <name>'",
        "input x[b]; line 1: 'input x[b]': expected 'module ' at character 1, found 'i'",
        "module a b; line 1: 'module a b': expected the end of the line at character 10, found 'b'",
      })
  void aTextBeginsWithTheNameOfTheModule(String text, String message) {
    assertThatThrownBy(() -> GraphTextParser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void anAxisThatIsNoSymbolNeedsASize() {
    assertThatThrownBy(() -> GraphTextParser.parse("module m\ninput x[a.b]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("axis a.b has no size: expected a line 'axis a.b = <size>'");
    assertThat(GraphTextParser.parse("module m\naxis a.b = c\ninput x[a.b]").axes())
        .containsExactly(new Axis("a.b", Expr.symbol("c")));
  }

  @Test
  void rolesOfAxesAreReadAndNotPrinted() {
    Module module =
        GraphTextParser.parse("module m\naxis a:norm_sequence = seq, b:batch, c\ninput x[a, b, c]");
    assertThat(module.axesByName())
        .containsEntry("a", new Axis("a", Expr.symbol("seq"), AxisRole.NORM_SEQUENCE))
        .containsEntry("b", new Axis("b", Expr.symbol("b"), AxisRole.BATCH))
        .containsEntry("c", new Axis("c", Expr.symbol("c"), AxisRole.NONE));
    assertThat(GraphText.print(module))
        .isEqualTo("module m\naxis a = seq, b, c\ninput x[a, b, c]\n");
    assertThatThrownBy(() -> GraphTextParser.parse("module m\naxis a:batsh"))
        .hasMessageContaining("'batsh' is not a role of axes; nearest: batch, ");
  }

  @Test
  void aModuleThatIsNotLegalIsRefusedAsItsVerifierSays() {
    assertThatThrownBy(() -> GraphTextParser.parse("module m\na: y[b] = gelu(x[b])"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("module m: x[b] is not known in: y[b] = gelu(x[b])");
  }

  @ParameterizedTest
  @CsvSource({"a b", "a#1", "a:b", "''", "a[0]", "é"})
  void aNameThatTheFormCannotHoldIsNotPrinted(String name) {
    assertThatThrownBy(() -> GraphText.print(new Tensor(name, List.of(), Element.ACTIVATION)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + name + "' is not a name of letters, digits, '_' and '.'");
  }
}
