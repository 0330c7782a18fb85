package org.stage.api.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;

/**
 * The textual form of a {@link Module}, one thing a line:
 *
 * <pre>
 * module attention                            # the first line; '#' starts a comment
 * axis batch, seq, norm_seq = seq             # a size, unless it is the symbol of the same name
 * input x[batch, norm_seq, embed]
 * parameter query.weight[embed, heads]:weight # an element, unless it is activation
 * query: q[batch, seq, heads] = einsum(x[batch, seq, embed], query.weight[embed, heads])
 * core: o[batch, heads], lse[batch]:statistic = attention(q[batch, heads], k[batch, heads])
 * output o, lse
 * </pre>
 *
 * <p>Names consist of letters, digits, {@code _} and {@code .}. An axis that no {@code axis} line
 * declares has the symbol of its own name as its size, and follows the declared ones. Lines after
 * the first may stand in any order that keeps operators in theirs; {@link #print} writes them as
 * above. Roles of axes say how a module is treated and not what it computes: they are not printed,
 * but the test kit reads them after the name, {@code axis norm_seq:norm_sequence = seq}.
 */
public final class GraphText {
  private GraphText() {}

  /**
   * Prints a module; the test kit reads an equal one, but for the roles of axes.
   *
   * @throws IllegalArgumentException if a name is none that the form can hold
   */
  public static String print(Module module) {
    StringBuilder text = new StringBuilder("module " + name(module.name()) + "\n");
    if (!module.axes().isEmpty()) {
      text.append("axis ").append(join(module.axes().stream().map(GraphText::print).toList()));
      text.append('\n');
    }
    module.inputs().forEach(tensor -> text.append("input " + print(tensor) + "\n"));
    module.parameters().forEach(tensor -> text.append("parameter " + print(tensor) + "\n"));
    Map<String, Tensor> tensors = module.tensorsByName();
    module.operators().forEach(operator -> text.append(print(operator, tensors)).append('\n'));
    if (!module.outputs().isEmpty()) {
      text.append("output " + join(module.outputs().stream().map(GraphText::name).toList()));
      text.append('\n');
    }
    return text.toString();
  }

  /** Prints a tensor: {@code lse[batch, heads, seq]:statistic}. */
  public static String print(Tensor tensor) {
    return print(tensor.name(), tensor.axes())
        + (tensor.element() == Element.ACTIVATION ? "" : ":" + tensor.element().text());
  }

  private static String print(Operator operator, Map<String, Tensor> tensors) {
    String outputs =
        operator.outputs().stream()
            .map(operand -> tensors.get(operand.tensor()))
            .map(GraphText::print)
            .collect(Collectors.joining(", "));
    List<String> inputs =
        operator.inputs().stream().map(operand -> print(operand.tensor(), operand.axes())).toList();
    return name(operator.name())
        + ": "
        + outputs
        + " = "
        + operator.kind().text()
        + "("
        + join(inputs)
        + ")";
  }

  private static String print(Axis axis) {
    String size = axis.size().toString();
    return name(axis.name()) + (size.equals(axis.name()) ? "" : " = " + size);
  }

  private static String print(String tensor, List<String> axes) {
    return name(tensor) + "[" + join(axes.stream().map(GraphText::name).toList()) + "]";
  }

  private static String name(String name) {
    if (name.isEmpty() || !name.chars().allMatch(Words::isName)) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a name of letters, digits, '_' and '.'");
    }
    return name;
  }

  private static String join(List<String> parts) {
    return String.join(", ", parts);
  }

  /**
   * Reads one line of operators: {@code query: q[batch, mlp] = einsum(x[batch, embed], w[embed,
   * mlp])}.
   *
   * @throws IllegalArgumentException if it is not of that form; the message quotes the line and
   *     says what was expected
   */
  public static ParsedOperator parseOperator(String line) {
    Cursor cursor = Cursor.of(withoutComments(line));
    String name = OperatorParser.name(cursor, "the name of an operator");
    cursor.expect(":");
    return OperatorParser.operator(name, cursor);
  }

  /**
   * Reads one tensor: {@code lse[batch, heads, seq]:statistic}.
   *
   * @throws IllegalArgumentException if it is not of that form; the message quotes the text and
   *     says what was expected
   */
  public static Tensor parseTensor(String text) {
    Cursor cursor = Cursor.of(withoutComments(text));
    Tensor tensor = OperatorParser.tensor(cursor);
    cursor.end();
    return tensor;
  }

  private static String withoutComments(String text) {
    return text.replaceAll("#[^\\n\\r]*", "");
  }
}
