package org.stage.instantiate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node.Collective;
import org.stage.arithmetic.Sums;
import org.stage.backward.Differentiation;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Step;
import org.stage.parallel.Value;

/**
 * A placed module with numbers: what one device does for one micro-batch, ready to be copied into
 * an execution graph for each layer and micro-batch.
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
    outputs = Map.copyOf(outputs);
  }

  /**
   * A value with numbers.
   *
   * @param tensor the tensor's name
   * @param name tensor and form
   * @param elements elements on one device
   * @param bytes bytes on one device
   * @param parameter the parameter whose gradient it is; empty if it is not one
   * @param source where it comes from
   */
  public record Variable(
      String tensor,
      String name,
      long elements,
      long bytes,
      String parameter,
      Value.Source source) {
    /** Whether it is the gradient of a parameter. */
    public boolean isGradient() {
      return !parameter.isEmpty();
    }
  }

  /** One step with numbers. */
  public sealed interface Instruction {
    /** The name inside its module. */
    String name();

    /** Variables read. */
    List<Integer> reads();

    /** Variables written. */
    List<Integer> writes();

    /** How long it takes, nanoseconds, where that is known better than by an estimate. */
    OptionalLong durationNs();

    /** The same with a known duration, nanoseconds. */
    Instruction lasting(OptionalLong nanoseconds);

    /**
     * A kernel.
     *
     * @param name name inside the module
     * @param operator kind of operator
     * @param shape its matrix products
     * @param flops their FLOPs
     * @param otherFlops other operations
     * @param bytesRead bytes read
     * @param bytesWritten bytes written
     * @param reads variables read
     * @param writes variables written
     * @param durationNs how long it takes, nanoseconds, if known
     */
    record Kernel(
        String name,
        String operator,
        MatrixShape shape,
        long flops,
        long otherFlops,
        long bytesRead,
        long bytesWritten,
        List<Integer> reads,
        List<Integer> writes,
        OptionalLong durationNs)
        implements Instruction {
      @Override
      public Kernel lasting(OptionalLong nanoseconds) {
        return new Kernel(
            name,
            operator,
            shape,
            flops,
            otherFlops,
            bytesRead,
            bytesWritten,
            reads,
            writes,
            nanoseconds);
      }
    }

    /**
     * A collective.
     *
     * @param name name inside the module
     * @param kind which one
     * @param elements elements of its input
     * @param type their type
     * @param group its members
     * @param reads the variable before
     * @param writes the variable after
     * @param durationNs how long it takes, nanoseconds, if known
     */
    record Transfer(
        String name,
        Collective.Kind kind,
        long elements,
        DataType type,
        Group group,
        List<Integer> reads,
        List<Integer> writes,
        OptionalLong durationNs)
        implements Instruction {
      @Override
      public Transfer lasting(OptionalLong nanoseconds) {
        return new Transfer(name, kind, elements, type, group, reads, writes, nanoseconds);
      }
    }

    /**
     * A turn of a ring: a message to the next rank along an axis, and one from the rank before.
     *
     * @param name name inside the module
     * @param axis the mesh axis
     * @param elements elements of each message
     * @param type their type
     * @param reads the variables that go
     * @param writes the variables that come
     * @param durationNs how long it takes, nanoseconds, if known
     */
    record Shift(
        String name,
        String axis,
        long elements,
        DataType type,
        List<Integer> reads,
        List<Integer> writes,
        OptionalLong durationNs)
        implements Instruction {
      @Override
      public Shift lasting(OptionalLong nanoseconds) {
        return new Shift(name, axis, elements, type, reads, writes, nanoseconds);
      }
    }
  }

  /**
   * Evaluates a placed module.
   *
   * @param accumulates whether gradients of parameters are added to those of earlier micro-batches
   *     where they lie, and so read
   */
  static Program of(PlacedModule module, Numbers numbers, boolean accumulates) {
    List<Instruction> instructions =
        module.steps().stream().map(step -> instruction(step, numbers, accumulates)).toList();
    List<Variable> variables = new ArrayList<>();
    for (Value value : module.values()) {
      variables.add(
          new Variable(
              value.tensor(),
              value.name(),
              numbers.of(value.elements()),
              numbers.bytes(value.element(), value.elements()),
              parameter(value),
              value.source()));
    }
    Map<String, Integer> outputs = new TreeMap<>();
    module.outputs().forEach((tensor, value) -> outputs.put(tensor, value.id()));
    return new Program(instructions, variables, outputs);
  }

  private static String parameter(Value value) {
    String suffix = Differentiation.gradientOf("");
    String tensor = value.tensor();
    return value.element() == Element.GRADIENT && tensor.endsWith(suffix)
        ? tensor.substring(0, tensor.length() - suffix.length())
        : "";
  }

  private static Instruction instruction(Step step, Numbers numbers, boolean accumulates) {
    List<Integer> reads = step.reads().stream().map(Value::id).toList();
    List<Integer> writes = step.writes().stream().map(Value::id).toList();
    if (step instanceof Step.Transfer transfer) {
      Value input = transfer.input();
      boolean exchange = transfer.kind() == Collective.Kind.ALL_TO_ALL;
      Expr elements = input.elements();
      return new Instruction.Transfer(
          transfer.output().name(),
          transfer.kind(),
          exchange ? numbers.exchanged(elements) : numbers.of(elements),
          numbers.type(input.element(), transfer.axes()),
          numbers.group(transfer.axes()),
          reads,
          writes,
          OptionalLong.empty());
    }
    if (step instanceof Step.Shift shift) {
      return new Instruction.Shift(
          shift.name(),
          shift.axis(),
          Sums.of(shift.reads().stream().mapToLong(value -> numbers.of(value.elements()))),
          numbers.type(shift.reads().get(0).element()),
          reads,
          writes,
          OptionalLong.empty());
    }
    Step.Kernel kernel = (Step.Kernel) step;
    return new Instruction.Kernel(
        kernel.operator().name(),
        kernel.operator().kind().text(),
        numbers.shape(kernel.cost().shape()),
        numbers.of(kernel.cost().flops()),
        numbers.of(kernel.cost().otherFlops()),
        bytesRead(kernel, numbers, accumulates),
        numbers.bytes(kernel.cost().written()),
        reads,
        writes,
        OptionalLong.empty());
  }

  private static long bytesRead(Step.Kernel kernel, Numbers numbers, boolean accumulates) {
    Map<Element, Expr> read = new EnumMap<>(Element.class);
    read.putAll(kernel.cost().read());
    if (!accumulates) {
      read.remove(Element.GRADIENT);
    }
    return numbers.bytes(read);
  }

  /** The same with each instruction changed. */
  public Program with(UnaryOperator<Instruction> change) {
    return new Program(instructions.stream().map(change).toList(), variables, outputs);
  }

  /** Follows views to the variable whose memory {@code variable} is. */
  public int root(int variable) {
    int root = variable;
    while (variables.get(root).source() instanceof Value.Source.View view) {
      root = view.value();
    }
    return root;
  }
}
