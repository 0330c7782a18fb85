package org.stage.backward;

import static org.stage.api.graph.OperatorKind.ADD;
import static org.stage.api.graph.OperatorKind.EINSUM;
import static org.stage.api.graph.OperatorKind.NEGATIVE_LOG_LIKELIHOOD;
import static org.stage.api.graph.OperatorKind.REDUCE_SUM;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.model.Quantization;

/**
 * Reverse-mode differentiation of a module: {@code y = f(x, w)} becomes {@code (dx, dw) = f'(dy,
 * saved tensors)}.
 *
 * <p>The result's inputs are the gradients of the outputs ({@code y.grad}) and the forward tensors
 * that it reads; its outputs are the gradients of the inputs and parameters ({@code x.grad}, {@code
 * w.grad}). Contributions of several consumers are added before anything else sees them, so that
 * their partial sums need one reduction together. Nothing here knows of devices.
 */
public final class Differentiation {
  private final Module forward;
  private final Map<String, Tensor> known;
  private final Map<String, Operator> producers = new HashMap<>();
  private final Map<String, Integer> uses = new HashMap<>();
  private final Map<String, List<Operand>> contributions = new HashMap<>();
  private final Map<String, Tensor> read = new LinkedHashMap<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();

  private Differentiation(Module forward) {
    this.forward = forward;
    this.known = new HashMap<>(forward.tensorsByName());
    for (Operator operator : forward.operators()) {
      operator.outputs().forEach(output -> producers.put(output.tensor(), operator));
      if (operator.kind() != OperatorKind.QUANTIZE) {
        operator
            .inputs()
            .forEach(
                in -> uses.merge(Quantization.uncast(producers, in).tensor(), 1, Integer::sum));
      }
    }
    // Whoever receives an output uses it too, and sends its gradient.
    forward.outputs().forEach(output -> uses.merge(output, 1, Integer::sum));
  }

  /** The name of the gradient of {@code tensor}. */
  public static String gradientOf(String tensor) {
    return tensor + ".grad";
  }

  /** The backward graph of {@code forward}. */
  public static Module of(Module forward) {
    return new Differentiation(forward).run();
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
    if (f.kind() == NEGATIVE_LOG_LIKELIHOOD) {
      crossEntropy(f);
      return;
    }
    Optional<String> gradient = sum(f.output().tensor());
    if (gradient.isEmpty()) {
      return;
    }
    Operand dy = new Operand(gradient.get(), f.output().axes());
    switch (f.kind()) {
      case EINSUM -> einsum(f, dy);
      case SCALED_EINSUM -> scaledEinsum(f, dy);
      case ADD -> f.inputs().forEach(input -> addend(f, input, dy));
      case RMS_NORM -> general(f, OperatorKind.RMS_NORM_GRAD, f.inputs().size(), 2, dy);
      case LAYER_NORM -> general(f, OperatorKind.LAYER_NORM_GRAD, f.inputs().size(), 2, dy);
      case GELU -> general(f, OperatorKind.GELU_GRAD, 1, 1, dy);
      case SWIGLU -> general(f, OperatorKind.SWIGLU_GRAD, f.inputs().size(), f.inputs().size(), dy);
      case ROTARY -> general(f, OperatorKind.ROTARY_GRAD, 1, 0, dy);
      case DROPOUT ->
          emit(
              f.name() + ".grad",
              OperatorKind.DROPOUT_GRAD,
              List.of(dy, f.outputs().get(1)),
              f.inputs());
      // The gradient goes straight to where the next kernel wants it.
      case CONSTRAIN -> contribute(f.inputs().get(0), dy);
      case DISPATCH ->
          emit(
              f.name() + ".grad",
              OperatorKind.DISPATCH_GRAD,
              List.of(dy, f.inputs().get(1)),
              f.inputs().subList(0, 1));
      // Without gates its gradient reads nothing else.
      case COMBINE ->
          general(f, OperatorKind.COMBINE_GRAD, f.inputs().size(), 2 * (f.inputs().size() - 1), dy);
      case SPLIT -> split(f);
      case CONCAT -> concat(f, dy);
      case ATTENTION -> attention(f, dy);
      case SOFTMAX ->
          emit(f.name() + ".grad", OperatorKind.SOFTMAX_GRAD, List.of(dy, f.output()), f.inputs());
      case LOOKUP ->
          emit(
              f.name() + ".grad",
              OperatorKind.LOOKUP_GRAD,
              List.of(dy, f.inputs().get(1)),
              f.inputs().subList(0, 1));
      default -> throw new IllegalArgumentException("no gradient is known of " + f);
    }
  }

  /** {@code (d of the first inputs) = kind(dy, the saved inputs)}. */
  private void general(Operator f, OperatorKind kind, int gradients, int saved, Operand dy) {
    List<Operand> in = new ArrayList<>(List.of(dy));
    in.addAll(f.inputs().subList(0, saved));
    emit(f.name() + ".grad", kind, in, f.inputs().subList(0, gradients));
  }

  private void attention(Operator f, Operand dy) {
    List<Operand> in = new ArrayList<>(List.of(dy));
    in.addAll(f.inputs());
    in.addAll(f.outputs());
    emit(f.name() + ".grad", OperatorKind.ATTENTION_GRAD, in, f.inputs());
  }

  private void split(Operator f) {
    List<Operand> parts = new ArrayList<>();
    for (Operand part : f.outputs()) {
      Optional<String> gradient = sum(part.tensor());
      if (gradient.isEmpty()) {
        throw new IllegalArgumentException("no gradient comes back to " + part + " of " + f);
      }
      parts.add(new Operand(gradient.get(), part.axes()));
    }
    emit(f.name() + ".grad", OperatorKind.CONCAT, parts, f.inputs());
  }

  /** What was repeated receives the sum over its repetitions. */
  private void concat(Operator f, Operand dy) {
    List<Operand> parts = new ArrayList<>();
    Map<Operand, Operand> repeated = new LinkedHashMap<>();
    for (Operand input : f.inputs()) {
      List<String> axes = new ArrayList<>(dy.axes().subList(0, dy.axes().size() - 1));
      axes.add(input.axes().get(input.axes().size() - 1));
      if (input.axes().equals(axes)) {
        parts.add(gradient(input));
      } else {
        String each = gradientOf(input.tensor()) + ".each";
        declare(each, tensor(input.tensor()), axes);
        parts.add(new Operand(each, axes));
        repeated.put(new Operand(each, axes), input);
      }
    }
    add(new Operator(f.name() + ".grad", OperatorKind.SPLIT, List.of(dy), parts));
    repeated.forEach(
        (each, input) ->
            emit(input.tensor() + ".grad.sum", REDUCE_SUM, List.of(each), List.of(input)));
  }

  /** The gradient of each operand of a product is a product of the other with dy. */
  private void einsum(Operator f, Operand dy) {
    Operand a = f.inputs().get(0);
    Operand b = f.inputs().get(1);
    boolean weight = tensor(b.tensor()).element() == Element.WEIGHT;
    emit(f.name() + (weight ? ".dgrad" : ".grad_0"), EINSUM, List.of(dy, b), List.of(a));
    emit(f.name() + (weight ? ".wgrad" : ".grad_1"), EINSUM, List.of(a, dy), List.of(b));
  }

  /**
   * The same in 8 bits: dy is cast where it lies, and the weight once more, as its cast is not
   * kept. The gradients are those of the tensors before their casts.
   */
  private void scaledEinsum(Operator f, Operand dy) {
    Operand x = f.inputs().get(0);
    Operand xScale = f.inputs().get(2);
    Operand weight = Quantization.uncast(producers, f.inputs().get(1));
    Operand dyCast = new Operand(cast(dy), dy.axes());
    Operand dyScale = new Operand(Quantization.scaleOf(dy.tensor()).name(), List.of());
    Operand cast = new Operand(cast(weight), weight.axes());
    OperatorKind kind = OperatorKind.SCALED_EINSUM;
    List<Operand> in = List.of(dyCast, cast, dyScale, f.inputs().get(3));
    emit(f.name() + ".dgrad", kind, in, List.of(Quantization.uncast(producers, x)));
    emit(f.name() + ".wgrad", kind, List.of(x, dyCast, xScale, dyScale), List.of(weight));
  }

  /**
   * Adds the cast of a tensor, if it is not there; returns what it makes. What lies on the axes of
   * the residual stream is cast there, before it is gathered.
   */
  private String cast(Operand operand) {
    List<String> lies = tensor(operand.tensor()).axes();
    Operand of = lies.contains("norm_seq") ? new Operand(operand.tensor(), lies) : operand;
    boolean twice = producers.containsKey(Quantization.castOf(of, "").name());
    String again = twice ? ".backward" : "";
    Tensor cast = Quantization.castOf(of, again);
    Tensor scale = Quantization.scaleOf(of.tensor());
    if (!tensors.contains(cast)) {
      known.put(cast.name(), cast);
      known.put(scale.name(), scale);
      tensors.add(cast);
      add(Quantization.cast(of, again));
    }
    return cast.name();
  }

  /** An addend of full rank receives dy as it is; a broadcast one its sum over the other axes. */
  private void addend(Operator f, Operand input, Operand dy) {
    if (input.axes().equals(dy.axes())) {
      contribute(input, dy);
    } else {
      emit(f.name() + ".grad", REDUCE_SUM, List.of(dy), List.of(input));
    }
  }

  private void contribute(Operand input, Operand dy) {
    contributions
        .computeIfAbsent(input.tensor(), t -> new ArrayList<>())
        .add(new Operand(dy.tensor(), input.axes()));
  }

  /**
   * The gradient of the logits in one kernel from the loss's inputs: the exponential sum and the
   * target logit were made from the logits, their maximum and the labels.
   */
  private void crossEntropy(Operator f) {
    Operator expSum = producer(f.inputs().get(0));
    Operator target = producer(f.inputs().get(1));
    List<Operand> in =
        List.of(
            expSum.inputs().get(0),
            target.inputs().get(1),
            expSum.inputs().get(1),
            expSum.output());
    emit(f.name() + ".grad", OperatorKind.CROSS_ENTROPY_GRAD, in, expSum.inputs().subList(0, 1));
  }

  private Operator producer(Operand operand) {
    Operator producer = producers.get(operand.tensor());
    if (producer == null) {
      throw new IllegalArgumentException("module " + forward.name() + ": no producer: " + operand);
    }
    return producer;
  }

  /** Adds an operator that writes a contribution to the gradient of each of {@code of}. */
  private void emit(String name, OperatorKind kind, List<Operand> inputs, List<Operand> of) {
    List<Operand> outputs = new ArrayList<>();
    of.forEach(each -> outputs.add(gradient(each)));
    add(new Operator(name, kind, inputs, outputs));
  }

  /** A further contribution to the gradient of {@code of}. */
  private Operand gradient(Operand of) {
    List<Operand> before = contributions.computeIfAbsent(of.tensor(), t -> new ArrayList<>());
    boolean only = uses.getOrDefault(of.tensor(), 0) < 2;
    String gradient = gradientOf(of.tensor()) + (only ? "" : "." + (before.size() + 1));
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
    String sum = gradientOf(name) + (forward.outputs().contains(name) ? ".whole" : "");
    declare(sum, tensor, axes);
    List<Operand> in = parts.stream().map(part -> new Operand(part.tensor(), axes)).toList();
    add(Operator.of(sum + ".sum", ADD, in, new Operand(sum, axes)));
    contributions.put(name, List.of(new Operand(sum, axes)));
    return Optional.of(sum);
  }

  private void declare(String gradient, Tensor of, List<String> axes) {
    boolean parameter = of.element() == Element.WEIGHT;
    Tensor tensor = new Tensor(gradient, axes, parameter ? Element.GRADIENT : of.element());
    known.put(gradient, tensor);
    tensors.add(tensor);
  }

  private void add(Operator operator) {
    operators.add(operator);
    for (Operand input : operator.inputs()) {
      Tensor tensor = tensor(input.tensor());
      if (!tensors.contains(tensor)) {
        read.putIfAbsent(tensor.name(), tensor);
      }
    }
  }

  private Tensor tensor(String name) {
    Tensor tensor = known.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("module " + forward.name() + ": no tensor: " + name);
    }
    return tensor;
  }
}
