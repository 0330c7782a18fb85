package org.stage.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.operator.GradientNames;
import org.stage.parallel.Numbers;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Step;
import org.stage.parallel.Value;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * A placed module with numbers: what one device does for one micro-batch.
 *
 * @param instructions in program order
 * @param variables the values, by id
 * @param outputs variables that leave, by tensor name
 */
public record Program(
    List<Instruction> instructions, List<Variable> variables, Map<String, Integer> outputs) {
  /** Copies lists and map. */
  public Program {
    instructions = List.copyOf(instructions);
    variables = List.copyOf(variables);
    outputs = Collections.unmodifiableMap(new TreeMap<>(outputs));
  }

  /**
   * A value with numbers.
   *
   * @param tensor the tensor's name
   * @param name tensor and form
   * @param type dimensions and data type on one device
   * @param parameter the parameter whose gradient it is; empty if it is not one
   * @param source where it comes from
   */
  public record Variable(
      String tensor, String name, TensorType type, String parameter, Value.Source source) {
    /** The same from elsewhere. */
    Variable from(Value.Source other) {
      return new Variable(tensor, name, type, parameter, other);
    }

    /** Elements on one device. */
    public long elements() {
      return type.elements();
    }

    /** Bytes on one device. */
    public long bytes() {
      return type.bytes();
    }

    /** Whether it is the gradient of a parameter. */
    public boolean isGradient() {
      return !parameter.isEmpty();
    }

    /** Whether it is there from the start: a parameter or an index tensor. */
    public boolean isGiven() {
      return source instanceof Value.Source.Given;
    }
  }

  /**
   * Evaluates a placed backward module. What its output can be reached from makes gradients of
   * activations; all else only gradients of weights need, collectives on their way included, and it
   * can run at any time after that.
   *
   * @param inPlace as in {@link #of}
   * @param order where gradients of weights stand
   */
  static Program backward(
      PlacedModule module, Numbers numbers, Predicate<String> inPlace, WeightGradients order) {
    Program whole = of(module, numbers, inPlace);
    Set<Integer> needed = new HashSet<>();
    whole.outputs.values().stream()
        .filter(output -> !whole.variables.get(output).isGradient())
        .forEach(output -> needed.add(whole.root(output)));
    List<Instruction> instructions = new ArrayList<>(whole.instructions);
    for (int i = instructions.size() - 1; i >= 0; i--) {
      Instruction instruction = instructions.get(i);
      boolean passesOn = instruction.writes().stream().anyMatch(needed::contains);
      if (passesOn) {
        instruction.reads().forEach(read -> needed.add(whole.root(read)));
      }
      Moment moment = passesOn ? Moment.INPUT_GRADIENTS : Moment.WEIGHT_GRADIENTS;
      instructions.set(i, instruction.at(moment));
    }
    return new Program(
        order == WeightGradients.OVERLAP
            ? WeightGradientOrder.of(instructions, whole::root)
            : instructions,
        whole.variables,
        whole.outputs);
  }

  /**
   * Evaluates a placed module, its instructions as those of a forward pass.
   *
   * @param inPlace whether the gradient of a parameter is added to what is there of it, and so read
   */
  static Program of(PlacedModule module, Numbers numbers, Predicate<String> inPlace) {
    List<Variable> variables = new ArrayList<>();
    for (Value value : module.values()) {
      variables.add(
          new Variable(
              value.tensor(),
              value.name(),
              numbers.tensor(value.element(), value.dims()),
              parameter(value),
              value.source()));
    }
    List<Instruction> instructions =
        module.steps().stream()
            .map(step -> instruction(step, work(step, variables, numbers, inPlace)))
            .toList();
    Map<String, Integer> outputs = new TreeMap<>();
    module.outputs().forEach((tensor, value) -> outputs.put(tensor, value.id()));
    return new Program(instructions, variables, outputs);
  }

  private static String parameter(Value value) {
    boolean whole = value.element() == Element.GRADIENT && GradientNames.isGradient(value.tensor());
    return whole ? GradientNames.tensor(value.tensor()) : "";
  }

  private static Instruction instruction(Step step, Work work) {
    List<Integer> reads = step.reads().stream().map(Value::id).toList();
    List<Integer> writes = step.writes().stream().map(Value::id).toList();
    return new Instruction(step.name(), Moment.FORWARD, work, reads, writes);
  }

  private static Work work(
      Step step, List<Variable> variables, Numbers numbers, Predicate<String> inPlace) {
    if (step instanceof Step.Transfer transfer) {
      Value input = transfer.input();
      boolean exchange = transfer.kind() == Collective.Kind.ALL_TO_ALL;
      Expr elements = input.elements();
      return new Work.Transfer(
          transfer.kind(),
          numbers.group(transfer.axes()),
          numbers.type(input.element(), transfer.axes()),
          exchange ? numbers.exchanged(elements) : numbers.of(elements));
    }
    if (step instanceof Step.Shift shift) {
      return new Work.Message(
          Work.Message.Way.SHIFT,
          shift.axis(),
          numbers.type(shift.reads().get(0).element()),
          Sums.of(shift.reads().stream().mapToLong(value -> numbers.of(value.elements()))));
    }
    Step.Kernel kernel = (Step.Kernel) step;
    return new Work.Kernel(
        kernel.operator().kind().text(),
        numbers.shape(kernel.cost().shape()),
        new Node.Compute.Cost(
            numbers.of(kernel.cost().flops()),
            numbers.of(kernel.cost().otherFlops()),
            bytesRead(kernel, numbers, inPlace),
            numbers.bytes(kernel.cost().written())),
        types(kernel.reads(), variables),
        types(kernel.writes(), variables));
  }

  private static List<TensorType> types(List<Value> values, List<Variable> variables) {
    return values.stream().map(each -> variables.get(each.id()).type()).toList();
  }

  /** What a kernel reads; of a gradient that it begins, it does not read what was there before. */
  private static long bytesRead(Step.Kernel kernel, Numbers numbers, Predicate<String> inPlace) {
    Map<Element, Expr> read = new EnumMap<>(Element.class);
    read.putAll(kernel.cost().read());
    boolean adds =
        kernel.writes().stream()
            .map(Program::parameter)
            .anyMatch(parameter -> !parameter.isEmpty() && inPlace.test(parameter));
    Expr written = kernel.cost().written().getOrDefault(Element.GRADIENT, Expr.ZERO);
    if (!adds && !written.equals(Expr.ZERO)) {
      read.computeIfPresent(Element.GRADIENT, (element, all) -> all.minus(written));
    }
    return numbers.bytes(read);
  }

  /** Follows views to the variable whose memory {@code variable} is. */
  public int root(int variable) {
    int root = variable;
    while (variables.get(root).source() instanceof Value.Source.View view) {
      root = view.value();
    }
    return root;
  }

  /** What the next module takes, the output or the gradient of the input, if there is such. */
  public OptionalInt outgoing() {
    return outputs.values().stream()
        .filter(output -> !variables.get(output).isGradient())
        .mapToInt(this::root)
        .findFirst();
  }
}
