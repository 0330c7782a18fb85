package org.stage.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;

/**
 * Casts the inputs of a module's products with weights to 8-bit floats, each with a scale of its
 * own (Micikevicius et al., arXiv 2209.05433).
 *
 * <p>A tensor is cast once for all products that read it, where its producer leaves it, so that
 * what is gathered is gathered in 8 bits. Scales come from the maxima of earlier steps (delayed
 * scaling): every device knows them, and none has to be exchanged within a micro-batch. The router
 * stays as it is, as its decisions are sensitive to rounding.
 */
public final class Quantization {
  private static final String CAST = ".fp8";

  private static final String ROUTER = "router.weight";

  private final Map<String, Tensor> known;
  private final Map<String, Operand> scales = new HashMap<>();
  private final List<Tensor> inputs;
  private final List<Tensor> tensors;
  private final List<Operator> operators = new ArrayList<>();

  private Quantization(Module module) {
    this.known = module.tensorsByName();
    this.inputs = new ArrayList<>(module.inputs());
    this.tensors = new ArrayList<>(module.tensors());
  }

  /** The module with casts. */
  public static Module of(Module module) {
    Quantization quantization = new Quantization(module);
    module.operators().forEach(quantization::add);
    return new Module(
        module.name(),
        module.axes(),
        quantization.inputs,
        module.parameters(),
        quantization.operators,
        quantization.tensors,
        module.outputs());
  }

  private void add(Operator operator) {
    operators.add(isCast(operator) ? scaled(operator) : operator);
  }

  private boolean isCast(Operator operator) {
    if (!operator.kind().equals(OperatorKind.EINSUM)) {
      return false;
    }
    String weight = operator.inputs().get(1).tensor();
    return tensor(weight).element() == Element.WEIGHT && !weight.endsWith(ROUTER);
  }

  private Operator scaled(Operator product) {
    Operand a = product.inputs().get(0);
    Operand b = product.inputs().get(1);
    List<Operand> in = new ArrayList<>();
    in.add(new Operand(a.tensor() + CAST, a.axes()));
    in.add(new Operand(b.tensor() + CAST, b.axes()));
    in.add(scale(a.tensor()));
    in.add(scale(b.tensor()));
    return new Operator(product.name(), OperatorKind.SCALED_EINSUM, in, product.outputs());
  }

  /** The scale of a tensor's cast, which is added before its first use. */
  private Operand scale(String name) {
    Operand scale = scales.get(name);
    if (scale == null) {
      Operand whole = new Operand(name, tensor(name).axes());
      Tensor factor = scaleOf(name);
      scale = new Operand(factor.name(), List.of());
      scales.put(name, scale);
      inputs.add(factor);
      tensors.add(castOf(whole, ""));
      operators.add(cast(whole, ""));
    }
    return scale;
  }

  private Tensor tensor(String name) {
    Tensor tensor = known.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor: " + name);
    }
    return tensor;
  }

  /** The scale of a tensor: one number. */
  public static Tensor scaleOf(String tensor) {
    return new Tensor(tensor + ".scale", List.of(), Element.STATISTIC);
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
    Operand scale = new Operand(scaleOf(of.tensor()).name(), List.of());
    Operand result = new Operand(castOf(of, again).name(), of.axes());
    String name = of.tensor() + ".cast" + again;
    return Operator.of(name, OperatorKind.QUANTIZE, List.of(of, scale), result);
  }

  /**
   * An operand before its cast, where it has one.
   *
   * @param producers the operators that write tensors, by tensor
   */
  public static Operand uncast(Map<String, Operator> producers, Operand operand) {
    Operator producer = producers.get(operand.tensor());
    return producer != null && producer.kind().equals(OperatorKind.QUANTIZE)
        ? new Operand(producer.inputs().get(0).tensor(), operand.axes())
        : operand;
  }
}
