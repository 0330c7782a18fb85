package org.stage.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.operator.AxisRoles;
import org.stage.operator.Casts;
import org.stage.operator.OperatorRules;

/**
 * Casts the inputs of a module's products with weights to 8-bit floats, each with a scale of its
 * own (Micikevicius et al., arXiv 2209.05433).
 *
 * <p>A tensor is cast once for all products that read it, where its producer leaves it, so that
 * what is gathered is gathered in 8 bits. Scales come from the maxima of earlier steps (delayed
 * scaling): every device knows them, and none has to be exchanged within a micro-batch. A router,
 * that is a weight on {@link AxisRole#ROUTES}, stays as it is, as its decisions are sensitive to
 * rounding. What a module file has in 8 bits is read as it is, with the scales that it has there.
 */
public final class Quantization {
  private final OperatorRules rules;
  private final AxisRoles roles;
  private final Map<String, Tensor> known;
  private final Map<String, Operand> scales = new HashMap<>();
  private final List<Tensor> inputs;
  private final List<Tensor> tensors;
  private final List<Operator> operators = new ArrayList<>();

  private Quantization(Module module, OperatorRules rules) {
    this.rules = rules;
    this.roles = AxisRoles.of(module);
    this.known = module.tensorsByName();
    this.inputs = new ArrayList<>(module.inputs());
    this.tensors = new ArrayList<>(module.tensors());
  }

  /**
   * The module with casts.
   *
   * @param rules which of its operators can multiply in 8 bits, and as what
   */
  public static Module of(Module module, OperatorRules rules) {
    Quantization quantization = new Quantization(module, rules);
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
    Optional<OperatorKind> inEightBits =
        rules.of(operator).inEightBits().filter(kind -> hasWeight(operator));
    operators.add(inEightBits.map(kind -> scaled(operator, kind)).orElse(operator));
  }

  private boolean hasWeight(Operator product) {
    Tensor second = tensor(product.inputs().get(1).tensor());
    return second.element() == Element.WEIGHT && !roles.has(second.axes(), AxisRole.ROUTES);
  }

  private Operator scaled(Operator product, OperatorKind kind) {
    Operand a = product.inputs().get(0);
    Operand b = product.inputs().get(1);
    List<Operand> in = new ArrayList<>();
    if (tensor(a.tensor()).element() == Element.QUANTIZED) {
      in.add(a);
      in.add(Casts.operand(b));
      in.add(Casts.scalesOperand(a, tensor(Casts.scaleOf(a.tensor()).name())));
    } else {
      in.add(Casts.operand(a));
      in.add(Casts.operand(b));
      in.add(scale(a.tensor()));
    }
    in.add(scale(b.tensor()));
    return new Operator(product.name(), kind, in, product.outputs());
  }

  /** The scale of a tensor's cast, which is added before its first use. */
  private Operand scale(String name) {
    Operand scale = scales.get(name);
    if (scale == null) {
      Operand whole = new Operand(name, tensor(name).axes());
      scale = Casts.scaleOperand(name);
      scales.put(name, scale);
      inputs.add(Casts.scaleOf(name));
      tensors.add(Casts.castOf(whole, ""));
      operators.add(Casts.cast(whole, ""));
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
}
