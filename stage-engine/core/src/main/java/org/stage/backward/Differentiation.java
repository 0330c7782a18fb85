package org.stage.backward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.operator.AxisRoles;
import org.stage.operator.Casts;
import org.stage.operator.GradientNames;
import org.stage.operator.Gradients;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;

/**
 * Reverse-mode differentiation of a module: {@code y = f(x, w)} becomes {@code (dx, dw) = f'(dy,
 * saved tensors)}.
 *
 * <p>The result's inputs are the gradients of the outputs ({@code y.grad}) and the forward tensors
 * that it reads; its outputs are the gradients of the inputs and parameters ({@code x.grad}, {@code
 * w.grad}). Contributions of several consumers are added before anything else sees them, so that
 * their partial sums need one reduction together. Nothing here knows of devices.
 */
public final class Differentiation implements Gradients {
  private final Module forward;
  private final OperatorRules rules;
  private final AxisRoles roles;
  private final Map<String, Tensor> known;
  private final Map<String, Operator> producers = new HashMap<>();
  private final Map<String, Integer> uses = new HashMap<>();
  private final Map<String, List<Operand>> contributions = new HashMap<>();
  private final Map<String, Tensor> scalesOfCasts = new HashMap<>();
  private final Map<String, Tensor> read = new LinkedHashMap<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();

  private Differentiation(Module forward, OperatorRules rules) {
    this.forward = forward;
    this.rules = rules;
    this.roles = AxisRoles.of(forward);
    this.known = new HashMap<>(forward.tensorsByName());
    for (Operator operator : forward.operators()) {
      operator.outputs().forEach(output -> producers.put(output.tensor(), operator));
      if (!rules.of(operator).isCast()) {
        operator.inputs().forEach(in -> uses.merge(uncast(in).tensor(), 1, Integer::sum));
      }
    }
    // Whoever receives an output uses it too, and sends its gradient.
    forward.outputs().forEach(output -> uses.merge(output, 1, Integer::sum));
  }

  /** The name of the gradient of {@code tensor}. */
  public static String gradientOf(String tensor) {
    return GradientNames.of(tensor);
  }

  /**
   * The backward graph of {@code forward}.
   *
   * @param rules the gradients of its operators
   */
  public static Module of(Module forward, OperatorRules rules) {
    return new Differentiation(forward, rules).run();
  }

  private Module run() {
    for (String output : forward.outputs()) {
      Tensor tensor = tensor(output);
      if (tensor.element() == Element.ACTIVATION) {
        Tensor seed = new Tensor(gradientOf(output), tensor.axes(), Element.ACTIVATION);
        known.put(seed.name(), seed);
        read.put(seed.name(), seed);
        contribute(new Operand(output, tensor.axes()), new Operand(seed.name(), tensor.axes()));
      }
    }
    for (int i = forward.operators().size() - 1; i >= 0; i--) {
      differentiate(forward.operators().get(i));
    }
    List<String> outputs = new ArrayList<>();
    forward.inputs().forEach(input -> sum(input.name()).ifPresent(outputs::add));
    forward.parameters().forEach(weight -> sum(weight.name()).ifPresent(outputs::add));
    Map<Boolean, List<Tensor>> split =
        read.values().stream().collect(Collectors.partitioningBy(forward.parameters()::contains));
    return new Module(
        forward.name() + "_backward",
        forward.axes(),
        split.getOrDefault(false, List.of()),
        split.getOrDefault(true, List.of()),
        operators,
        tensors,
        outputs);
  }

  private void differentiate(Operator f) {
    OperatorRule rule = rules.of(f);
    Optional<Operand> dy = rule.startsGradients() ? Optional.of(f.output()) : of(f.output());
    dy.ifPresent(gradient -> rule.differentiate(f, gradient, this));
  }

  /** What lies on the axes of the residual stream is cast there, before it is gathered. */
  @Override
  public List<Operand> cast(Operand operand) {
    List<String> lies = tensor(operand.tensor()).axes();
    if (tensor(operand.tensor()).element() == Element.QUANTIZED) {
      return List.of(operand, Casts.scalesOperand(operand, scales(operand.tensor())));
    }
    boolean ofResidual = roles.has(lies, AxisRole.NORM_SEQUENCE);
    Operand of = ofResidual ? new Operand(operand.tensor(), lies) : operand;
    boolean twice = producers.containsKey(Casts.castOf(of, "").name());
    String again = twice ? ".backward" : "";
    Tensor cast = Casts.castOf(of, again);
    Tensor scale = Casts.scaleOf(of.tensor());
    if (!tensors.contains(cast)) {
      known.put(cast.name(), cast);
      known.put(scale.name(), scale);
      tensors.add(cast);
      add(Casts.cast(of, again));
    }
    return List.of(new Operand(cast.name(), operand.axes()), new Operand(scale.name(), List.of()));
  }

  @Override
  public Operand castInBlocks(Operand operand) {
    Tensor cast = Casts.castOf(operand, "");
    Tensor scales = Casts.scalesOf(operand, blocks());
    for (Tensor made : List.of(cast, scales)) {
      known.put(made.name(), made);
      tensors.add(made);
    }
    scalesOfCasts.put(cast.name(), scales);
    add(Casts.castInBlocks(operand, cast, scales));
    return new Operand(cast.name(), operand.axes());
  }

  private Tensor scales(String cast) {
    Tensor scales = scalesOfCasts.get(cast);
    if (scales == null) {
      throw new IllegalArgumentException("module " + forward.name() + ": no scales of " + cast);
    }
    return scales;
  }

  private String blocks() {
    return roles
        .first(roles.axes().keySet(), AxisRole.SCALE_BLOCKS)
        .orElseThrow(
            () -> new IllegalArgumentException("module " + forward.name() + ": no scale blocks"));
  }

  @Override
  public Operand uncast(Operand operand) {
    return Casts.before(rules, producers, operand);
  }

  @Override
  public void contribute(Operand input, Operand dy) {
    contributions
        .computeIfAbsent(input.tensor(), t -> new ArrayList<>())
        .add(new Operand(dy.tensor(), input.axes()));
  }

  @Override
  public Operator producer(Operand operand) {
    Operator producer = producers.get(operand.tensor());
    if (producer == null) {
      throw new IllegalArgumentException("module " + forward.name() + ": no producer: " + operand);
    }
    return producer;
  }

  @Override
  public void add(String name, OperatorKind kind, List<Operand> inputs, List<Operand> of) {
    List<Operand> outputs = new ArrayList<>();
    of.forEach(each -> outputs.add(contribution(each)));
    add(new Operator(name, kind, inputs, outputs));
  }

  @Override
  public Operand contribution(Operand of) {
    List<Operand> before = contributions.computeIfAbsent(of.tensor(), t -> new ArrayList<>());
    boolean only = uses.getOrDefault(of.tensor(), 0) < 2;
    String gradient =
        only ? gradientOf(of.tensor()) : GradientNames.contribution(of.tensor(), before.size() + 1);
    Operand contribution = new Operand(gradient, of.axes());
    before.add(contribution);
    declare(gradient, tensor(of.tensor()), of.axes());
    return contribution;
  }

  /** The whole gradient of {@code tensor}: adds up its contributions, once all are there. */
  private Optional<String> sum(String name) {
    List<Operand> parts = contributions.getOrDefault(name, List.of());
    if (parts.size() < 2) {
      return parts.stream().map(Operand::tensor).findFirst();
    }
    Tensor tensor = tensor(name);
    // They are added up where they lie, if all lie alike.
    List<String> first = parts.get(0).axes();
    boolean alike = parts.stream().allMatch(part -> part.axes().equals(first));
    List<String> axes = alike ? first : tensor.axes();
    // The gradient of an output has its name already: what came from outside.
    String sum = forward.outputs().contains(name) ? GradientNames.whole(name) : gradientOf(name);
    declare(sum, tensor, axes);
    List<Operand> in = parts.stream().map(part -> new Operand(part.tensor(), axes)).toList();
    add(OperatorRules.sum(GradientNames.sum(sum), in, new Operand(sum, axes)));
    contributions.put(name, List.of(new Operand(sum, axes)));
    return Optional.of(sum);
  }

  @Override
  public Operand scratch(Operand of, List<String> axes) {
    String name = GradientNames.each(of.tensor());
    declare(name, tensor(of.tensor()), axes);
    return new Operand(name, axes);
  }

  @Override
  public Optional<Operand> of(Operand operand) {
    return sum(operand.tensor()).map(gradient -> new Operand(gradient, operand.axes()));
  }

  /** What was cast has a gradient of the precision that it had before. */
  private void declare(String gradient, Tensor of, List<String> axes) {
    Element element =
        switch (of.element()) {
          case WEIGHT -> Element.GRADIENT;
          case QUANTIZED -> Element.ACTIVATION;
          default -> of.element();
        };
    Tensor tensor = new Tensor(gradient, axes, element);
    known.put(gradient, tensor);
    tensors.add(tensor);
  }

  @Override
  public void add(Operator operator) {
    operators.add(operator);
    for (Operand input : operator.inputs()) {
      Tensor tensor = tensor(input.tensor());
      if (!tensors.contains(tensor)) {
        read.putIfAbsent(tensor.name(), tensor);
      }
    }
  }

  @Override
  public Tensor tensor(String name) {
    Tensor tensor = known.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("module " + forward.name() + ": no tensor: " + name);
    }
    return tensor;
  }
}
