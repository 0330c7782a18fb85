package org.stage.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;

/** Casts of tensors to 8-bit floats, each with a scale of its own: what is made, and its names. */
public final class Casts {
  private static final String CAST = ".fp8";

  private Casts() {}

  /** The scale of a tensor: one number. */
  public static Tensor scaleOf(String tensor) {
    return new Tensor(tensor + ".scale", List.of(), Element.STATISTIC);
  }

  /**
   * The scales of a tensor's rows, one for each block of their channels.
   *
   * @param blocks the axis of the blocks, in the place of the last axis of the tensor
   */
  public static Tensor scalesOf(Operand of, String blocks) {
    return new Tensor(scaleOf(of.tensor()).name(), inBlocks(of, blocks), Element.STATISTIC);
  }

  /** The axes of an operand with {@code blocks} in the place of its last one. */
  private static List<String> inBlocks(Operand of, String blocks) {
    List<String> axes = new ArrayList<>(of.axes());
    axes.set(axes.size() - 1, blocks);
    return axes;
  }

  /**
   * The scales of a cast by blocks where the cast is read.
   *
   * @param scales the scales, on their own axes
   */
  public static Operand scalesOperand(Operand cast, Tensor scales) {
    String blocks = scales.axes().get(scales.axes().size() - 1);
    return new Operand(scales.name(), inBlocks(cast, blocks));
  }

  /** The cast by blocks of a tensor that lies on these axes: writes the cast, then its scales. */
  public static Operator castInBlocks(Operand of, Tensor cast, Tensor scales) {
    return new Operator(
        of.tensor() + ".cast",
        OperatorKind.QUANTIZE_BLOCKS,
        List.of(of),
        List.of(new Operand(cast.name(), of.axes()), new Operand(scales.name(), scales.axes())));
  }

  /** The scale of a tensor, as an operator reads it. */
  public static Operand scaleOperand(String tensor) {
    return new Operand(scaleOf(tensor).name(), List.of());
  }

  /** An operand in 8 bits. */
  public static Operand operand(Operand of) {
    return new Operand(of.tensor() + CAST, of.axes());
  }

  /**
   * What a cast makes of a tensor, on the same axes.
   *
   * @param again what tells a further cast from the first
   */
  public static Tensor castOf(Operand of, String again) {
    return new Tensor(of.tensor() + CAST + again, of.axes(), Element.QUANTIZED);
  }

  /** The cast of a tensor that lies on these axes. */
  public static Operator cast(Operand of, String again) {
    Operand result = new Operand(castOf(of, again).name(), of.axes());
    String name = of.tensor() + ".cast" + again;
    return Operator.of(name, OperatorKind.QUANTIZE, List.of(of, scaleOperand(of.tensor())), result);
  }

  /**
   * An operand before its cast, where it has one.
   *
   * @param producers the operators that write tensors, by tensor
   */
  public static Operand before(
      OperatorRules rules, Map<String, Operator> producers, Operand operand) {
    Operator producer = producers.get(operand.tensor());
    return producer != null && rules.of(producer).isCast()
        ? new Operand(producer.inputs().get(0).tensor(), operand.axes())
        : operand;
  }
}
