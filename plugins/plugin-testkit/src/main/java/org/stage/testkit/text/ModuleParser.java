package org.stage.testkit.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.text.Cursor;
import org.stage.api.text.GraphText;
import org.stage.api.text.OperatorParser;
import org.stage.api.text.ParsedOperator;
import org.stage.api.text.Words;

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
    String name = OperatorParser.name(first, "the name of the module");
    first.end();
    lines.subList(1, lines.size()).forEach(this::line);
    declareOtherAxes();
    return new Module(name, axes, inputs, parameters, operators, tensors, outputs);
  }

  private void line(Cursor cursor) {
    String word =
        OperatorParser.name(
            cursor, "the name of an operator or one of axis, input, parameter, output");
    if (cursor.take(":")) {
      ParsedOperator parsed = OperatorParser.operator(word, cursor);
      operators.add(parsed.operator());
      tensors.addAll(parsed.outputs());
      return;
    }
    do {
      switch (word) {
        case "axis" -> axes.add(axis(cursor));
        case "input" -> inputs.add(OperatorParser.tensor(cursor));
        case "parameter" -> parameters.add(OperatorParser.tensor(cursor));
        case "output" -> outputs.add(OperatorParser.name(cursor, "the name of a tensor"));
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
    String name = OperatorParser.name(cursor, "the name of an axis");
    AxisRole role =
        cursor.take(":")
            ? Words.constant(cursor, "a role of axes", AxisRole.values(), AxisRole::text)
            : AxisRole.NONE;
    String size = cursor.take("=") ? cursor.run(c -> c != ',', "a size") : name;
    try {
      return new Axis(name, Expr.parse(size), role);
    } catch (IllegalArgumentException e) {
      throw cursor.refusal("the size of " + name + ": " + e.getMessage());
    }
  }
}
