package org.stage.numeric;

import static org.stage.api.graph.OperatorKind.ADD;
import static org.stage.api.graph.OperatorKind.EINSUM;
import static org.stage.api.graph.OperatorKind.GELU;
import static org.stage.api.graph.OperatorKind.LAYER_NORM;
import static org.stage.api.graph.OperatorKind.RMS_NORM;
import static org.stage.api.graph.OperatorKind.SOFTMAX;
import static org.stage.api.graph.OperatorKind.SWIGLU;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;

/** A graph of random operators, in which a tensor may have several consumers, or one twice. */
final class RandomModule {
  private static final List<String> NARROW = List.of("batch", "embed");
  private static final List<String> WIDE = List.of("batch", "mlp");

  private final Random random;
  private final boolean wideRows;
  private final List<Tensor> parameters = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Tensor> known = new ArrayList<>();

  /** With {@code wideRows}, norms and softmax also run along the wide axis. */
  RandomModule(Random random, boolean wideRows) {
    this.random = random;
    this.wideRows = wideRows;
  }

  Module build() {
    Tensor input = new Tensor("x", NARROW, Element.ACTIVATION);
    known.add(input);
    int length = 3 + random.nextInt(8);
    for (int i = 0; i < length; i++) {
      addOperator();
    }
    // The sum of everything is the last word, so that each tensor has a part in the gradient.
    List<Operand> narrow = all(NARROW);
    add(ADD, narrow, NARROW);
    List<String> outputs = new ArrayList<>(List.of(known.get(known.size() - 1).name()));
    if (random.nextBoolean()) {
      // An output that is also used inside.
      outputs.add(narrow.get(narrow.size() - 1).tensor());
    }
    List<Operand> wide = all(WIDE);
    if (!wide.isEmpty()) {
      add(ADD, wide, WIDE);
      outputs.add(known.get(known.size() - 1).name());
    }
    List<Axis> axes =
        Stream.of("batch", "embed", "mlp").map(a -> new Axis(a, Expr.symbol(a))).toList();
    return new Module("random", axes, List.of(input), parameters, operators, tensors, outputs);
  }

  private List<Operand> all(List<String> axes) {
    return known.stream().filter(t -> t.axes().equals(axes)).map(RandomModule::operand).toList();
  }

  private void addOperator() {
    Operand x = operand(known.get(random.nextInt(known.size())));
    List<Operand> alike = all(x.axes());
    Operand y = alike.get(random.nextInt(alike.size()));
    String width = x.axes().get(1);
    boolean rows = wideRows || width.equals("embed");
    switch (random.nextInt(rows ? 9 : 7)) {
      case 0 -> add(EINSUM, List.of(x, weight("embed", "mlp")), other(x.axes()));
      case 1 -> add(EINSUM, List.of(weight("mlp", "embed"), x), other(x.axes()));
      case 2 -> add(EINSUM, List.of(x, y), x.axes());
      case 3 -> add(ADD, List.of(x, y), x.axes());
      case 4 -> add(ADD, List.of(x, weight(width)), x.axes());
      case 5 -> add(GELU, List.of(x), x.axes());
      case 6 -> add(SWIGLU, List.of(x, y), x.axes());
      case 7 ->
          add(random.nextBoolean() ? RMS_NORM : LAYER_NORM, List.of(x, weight(width)), x.axes());
      default -> add(SOFTMAX, List.of(x), x.axes());
    }
  }

  private static List<String> other(List<String> axes) {
    return axes.equals(NARROW) ? WIDE : NARROW;
  }

  private void add(OperatorKind kind, List<Operand> in, List<String> axes) {
    Tensor output = new Tensor("t" + operators.size(), axes, Element.ACTIVATION);
    operators.add(Operator.of("op" + operators.size(), kind, in, operand(output)));
    tensors.add(output);
    known.add(output);
  }

  private Operand weight(String... axes) {
    Tensor weight = new Tensor("w" + parameters.size(), List.of(axes), Element.WEIGHT);
    parameters.add(weight);
    return operand(weight);
  }

  private static Operand operand(Tensor tensor) {
    return new Operand(tensor.name(), tensor.axes());
  }
}
