package org.stage.api.text;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;

/** Reads operators and tensors at a place in a line; {@link GraphText} describes the form. */
public final class OperatorParser {
  private OperatorParser() {}

  /** What follows the name and the colon of an operator. */
  public static ParsedOperator operator(String name, Cursor cursor) {
    List<Tensor> outputs = new ArrayList<>();
    do {
      outputs.add(tensor(cursor));
    } while (cursor.take(","));
    cursor.expect("=");
    OperatorKind kind = kind(cursor);
    cursor.expect("(");
    List<Operand> inputs = new ArrayList<>();
    while (!cursor.take(")")) {
      if (!inputs.isEmpty() && !cursor.take(",")) {
        throw cursor.expected("',' or ')'");
      }
      inputs.add(new Operand(name(cursor, "the name of a tensor"), axes(cursor)));
    }
    cursor.end();
    List<Operand> written =
        outputs.stream().map(tensor -> new Operand(tensor.name(), tensor.axes())).toList();
    return new ParsedOperator(new Operator(name, kind, inputs, written), outputs);
  }

  private static OperatorKind kind(Cursor cursor) {
    String word = cursor.run(Words::isBare, "an operator kind");
    try {
      return new OperatorKind(word);
    } catch (IllegalArgumentException e) {
      throw cursor.refusal("'" + word + "' is not an operator kind");
    }
  }

  /** A tensor, with its element unless it is an activation. */
  public static Tensor tensor(Cursor cursor) {
    String name = name(cursor, "the name of a tensor");
    List<String> axes = axes(cursor);
    Element element =
        cursor.take(":")
            ? Words.constant(cursor, "an element", Element.values(), Element::text)
            : Element.ACTIVATION;
    return new Tensor(name, axes, element);
  }

  private static List<String> axes(Cursor cursor) {
    List<String> axes = new ArrayList<>();
    cursor.expect("[");
    while (!cursor.take("]")) {
      if (!axes.isEmpty() && !cursor.take(",")) {
        throw cursor.expected("',' or ']'");
      }
      axes.add(name(cursor, "the name of an axis"));
    }
    return axes;
  }

  /** A name of the symbolic graph; {@code what} names it in a refusal. */
  public static String name(Cursor cursor, String what) {
    return cursor.run(Words::isName, what);
  }
}
