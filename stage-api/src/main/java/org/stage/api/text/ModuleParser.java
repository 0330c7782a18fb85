package org.stage.api.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;

/** Gathers a module line by line; {@link GraphText} describes the form. */
final class ModuleParser {
  private final List<Axis> axes = new ArrayList<>();
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<Tensor> parameters = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();

  Module parse(List<Cursor> lines) {
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("the text is empty: expected 'module <name>'");
    }
    Cursor first = lines.get(0);
    first.expect("module ");
    String name = name(first, "the name of the module");
    first.end();
    lines.subList(1, lines.size()).forEach(this::line);
    declareOtherAxes();
    return new Module(name, axes, inputs, parameters, operators, tensors, outputs);
  }

  private void line(Cursor cursor) {
    String word = name(cursor, "the name of an operator or one of axis, input, parameter, output");
    if (cursor.take(":")) {
      ParsedOperator parsed = operator(word, cursor);
      operators.add(parsed.operator());
      tensors.addAll(parsed.outputs());
      return;
    }
    do {
      switch (word) {
        case "axis" -> axes.add(axis(cursor));
        case "input" -> inputs.add(tensor(cursor));
        case "parameter" -> parameters.add(tensor(cursor));
        case "output" -> outputs.add(name(cursor, "the name of a tensor"));
        default ->
            throw cursor.refusal(
                "expected ':' after the operator " + word + ", or axis, input, parameter, output");
      }
    } while (cursor.take(","));
    cursor.end();
  }

  /** An axis that is used but not declared has the symbol of its own name as its size. */
  private void declareOtherAxes() {
    Map<String, Axis> byName = new LinkedHashMap<>();
    axes.forEach(axis -> byName.put(axis.name(), axis));
    List<String> used = new ArrayList<>();
    inputs.forEach(tensor -> used.addAll(tensor.axes()));
    parameters.forEach(tensor -> used.addAll(tensor.axes()));
    operators.forEach(operator -> used.addAll(operator.axes()));
    for (String name : used) {
      if (!byName.containsKey(name)) {
        Axis axis = new Axis(name, ownSymbol(name));
        byName.put(name, axis);
        axes.add(axis);
      }
    }
  }

  private static Expr ownSymbol(String axis) {
    try {
      return Expr.symbol(axis);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "axis " + axis + " has no size: expected a line 'axis " + axis + " = <size>'", e);
    }
  }

  private static Axis axis(Cursor cursor) {
    String name = name(cursor, "the name of an axis");
    String size = cursor.take("=") ? cursor.run(c -> c != ',', "a size") : name;
    try {
      return new Axis(name, Expr.parse(size));
    } catch (IllegalArgumentException e) {
      throw cursor.refusal("the size of " + name + ": " + e.getMessage());
    }
  }

  /** What follows the name and the colon of an operator. */
  static ParsedOperator operator(String name, Cursor cursor) {
    List<Tensor> outputs = new ArrayList<>();
    do {
      outputs.add(tensor(cursor));
    } while (cursor.take(","));
    cursor.expect("=");
    OperatorKind kind =
        Words.constant(cursor, "an operator kind", OperatorKind.values(), OperatorKind::text);
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

  static Tensor tensor(Cursor cursor) {
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

  static String name(Cursor cursor, String what) {
    return cursor.run(Words::isName, what);
  }
}
