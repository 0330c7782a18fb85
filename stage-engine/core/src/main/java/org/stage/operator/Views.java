package org.stage.operator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.operator.OperatorRule.PartialSums;

/** Operators that pin, cut or join tensors and compute nothing. */
final class Views {
  private Views() {}

  static List<OperatorRule> rules() {
    return List.of(
        new Identity(OperatorKind.CONSTRAIN, PartialSums.REDUCED, Views::straight),
        new Identity(OperatorKind.REDISTRIBUTE, PartialSums.PASSED_ALONE, Views::straight),
        new Identity(OperatorKind.QUANTIZE_GRADIENT, PartialSums.PASSED_ALONE, Views::cast),
        new Identity(OperatorKind.PIN, PartialSums.REDUCED, Views::pinned),
        new Split(OperatorKind.SPLIT),
        new Concat(OperatorKind.CONCAT));
  }

  /** The gradient goes straight to where the next kernel wants it. */
  private static void straight(Operator f, Operand dy, Gradients gradients) {
    gradients.contribute(f.inputs().get(0), dy);
  }

  /** The gradient is cast where it comes from, and goes in 8 bits. */
  private static void cast(Operator f, Operand dy, Gradients gradients) {
    gradients.contribute(f.inputs().get(0), gradients.castInBlocks(dy));
  }

  private static void pinned(Operator f, Operand dy, Gradients gradients) {
    gradients.add(GradientNames.of(f.name()), f.kind(), List.of(dy), f.inputs());
  }

  /** The last axes of all operands: parts cannot be cut or joined across devices. */
  private static List<String> lastOfAll(Operator operator) {
    return Stream.concat(operator.inputs().stream(), operator.outputs().stream())
        .flatMap(operand -> OperatorRule.last(operand).stream())
        .toList();
  }

  /**
   * Identity that pins the placement which its axes imply (GSPMD's sharding constraint).
   *
   * @param sums what becomes of partial sums
   * @param gradient how the gradient goes back
   */
  private record Identity(OperatorKind kind, PartialSums sums, Gradient gradient)
      implements OperatorRule {
    @Override
    public PartialSums partialSums(Operator operator) {
      return sums;
    }

    @Override
    public int costPerElement() {
      return 0;
    }

    @Override
    public boolean isView() {
      return true;
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      gradient.add(f, dy, gradients);
    }
  }

  /** Consecutive parts along the last axis: the memory of its input. */
  private record Split(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 0;
    }

    @Override
    public PartialSums partialSums(Operator operator) {
      return PartialSums.PASSED_ALONE;
    }

    @Override
    public boolean isView() {
      return true;
    }

    @Override
    public List<String> wholeAxes(Operator operator) {
      return lastOfAll(operator);
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      List<Operand> parts = new ArrayList<>();
      for (Operand part : f.outputs()) {
        Optional<Operand> gradient = gradients.of(part);
        if (gradient.isEmpty()) {
          throw new IllegalArgumentException("no gradient comes back to " + part + " of " + f);
        }
        parts.add(gradient.get());
      }
      gradients.add(GradientNames.of(f.name()), OperatorKind.CONCAT, parts, f.inputs());
    }
  }

  /**
   * Joins its inputs along the last axis; one that lacks other axes of the output is repeated along
   * them.
   */
  private record Concat(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 0;
    }

    @Override
    public PartialSums partialSums(Operator operator) {
      return PartialSums.PASSED_TOGETHER;
    }

    @Override
    public List<String> wholeAxes(Operator operator) {
      return lastOfAll(operator);
    }

    /** What was repeated receives the sum over its repetitions. */
    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      List<Operand> parts = new ArrayList<>();
      Map<Operand, Operand> repeated = new LinkedHashMap<>();
      for (Operand input : f.inputs()) {
        List<String> axes = new ArrayList<>(dy.axes().subList(0, dy.axes().size() - 1));
        axes.addAll(OperatorRule.last(input));
        if (input.axes().equals(axes)) {
          parts.add(gradients.contribution(input));
        } else {
          Operand each = gradients.scratch(input, axes);
          parts.add(each);
          repeated.put(each, input);
        }
      }
      gradients.add(
          new Operator(GradientNames.of(f.name()), OperatorKind.SPLIT, List.of(dy), parts));
      repeated.forEach(
          (each, input) ->
              gradients.add(
                  GradientNames.sum(GradientNames.of(input.tensor())),
                  OperatorKind.REDUCE_SUM,
                  List.of(each),
                  List.of(input)));
    }
  }
}
