package org.stage.parallel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.SubAxis;
import org.stage.operator.AxisRoles;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRule.PartialSums;
import org.stage.operator.OperatorRule.Ring;
import org.stage.operator.OperatorRules;

/**
 * Propagates placements through a module and derives its collectives.
 *
 * <p>An operator is split along a mesh axis if the rules map one of its logical axes there. Then it
 * demands of each input the shard of that axis, or the whole where the input lacks it, and yields a
 * shard, or partial sums where the output lacks it. Where the form at hand is not the one demanded,
 * {@link Resharding} adds a collective. A form once made serves all later consumers of the same
 * program; the backward program starts again from what was kept.
 */
public final class Placer {
  private final DeviceMesh mesh;
  private final ShardingRules rules;
  private final OperatorRules operators;
  private final AxisRoles roles;
  private final SplitCheck splits;
  private final CostModel costs;
  private final Module module;
  private final PlacedModuleBuilder program;
  private final Summands summands;
  private final Map<String, Tensor> tensors;

  private Placer(Placing placing, Module module) {
    this.mesh = placing.mesh();
    this.rules = placing.rules();
    this.operators = placing.operators();
    this.module = module;
    this.roles = AxisRoles.of(module);
    this.splits = new SplitCheck(placing, roles);
    this.costs = new CostModel(placing, roles);
    this.program = new PlacedModuleBuilder(mesh);
    this.summands = new Summands(placing, program);
    this.tensors = new HashMap<>(module.tensorsByName());
  }

  /**
   * Places a forward module. Its activations enter and leave on {@code boundary}.
   *
   * @param boundary the layout of what passes between modules
   */
  public static PlacedModule forward(Placing placing, Module module, Layout boundary) {
    Placer placer = new Placer(placing, module);
    for (Tensor input : module.inputs()) {
      boolean activation = input.element() == Element.ACTIVATION;
      Value.Source source = activation ? new Value.Source.Neighbour() : new Value.Source.Given();
      placer.enter(input, activation ? boundary : placer.ruled(input), source);
    }
    return placer.run(boundary);
  }

  /**
   * Places the backward module of {@code forward}. Gradients enter and leave on {@code boundary};
   * gradients of parameters stay as they come, to be reduced once per step.
   */
  public static PlacedModule backward(
      Placing placing, Module module, PlacedModule forward, Layout boundary) {
    Placer placer = new Placer(placing, module);
    for (Tensor input : module.inputs()) {
      Value kept = forward.kept().get(input.name());
      if (kept != null) {
        placer.enter(input, kept.layout(), new Value.Source.Saved(kept.id()));
      } else if (input.element() == Element.ACTIVATION) {
        placer.enter(input, boundary, new Value.Source.Neighbour());
      } else {
        placer.enter(input, placer.ruled(input), new Value.Source.Given());
      }
    }
    return placer.run(boundary);
  }

  private void enter(Tensor tensor, Layout layout, Value.Source source) {
    program.write(tensor.name(), tensor.element(), layout, local(tensor, layout), source);
  }

  private Layout ruled(Tensor tensor) {
    return Layout.of(rules, tensor.axes());
  }

  private PlacedModule run(Layout boundary) {
    for (Tensor parameter : module.parameters()) {
      enter(parameter, ruled(parameter), new Value.Source.Given());
    }
    module.operators().forEach(this::place);
    Map<String, Value> outputs = new HashMap<>();
    for (String output : module.outputs()) {
      boolean activation = tensor(output).element() == Element.ACTIVATION;
      Layout wanted = activation ? boundary : program.latest(output).layout();
      outputs.put(output, program.reshard(output, wanted, costs.sizes(tensor(output).axes())));
    }
    return program.finish(module.name(), outputs);
  }

  private void place(Operator operator) {
    int ring = ring(operator);
    splits.check(operator, ring >= 0);
    OperatorRule rule = operators.of(operator);
    if (rule.partialSums(operator) == PartialSums.ADDED) {
      operator = addPartialsFirst(operator);
    }
    List<Value> reads = new ArrayList<>();
    Set<Integer> passes = summands.passing(operator);
    for (Operand input : operator.inputs()) {
      Layout demanded = Layout.of(rules, input.axes());
      Set<Integer> sums = new TreeSet<>(summands.of(input));
      sums.retainAll(passes);
      demanded = demanded.summing(sums);
      reads.add(program.reshard(input.tensor(), demanded, costs.sizes(input.axes())));
    }
    if (ring >= 0) {
      Ring how = rule.ring().orElseThrow();
      ring(operator, how, mesh.axes().get(ring).part(), passes).place(reads);
      return;
    }
    if (rule.isView()) {
      view(operator, reads.get(0), passes);
      return;
    }
    List<Value> writes = new ArrayList<>();
    for (Operand output : operator.outputs()) {
      writes.add(write(operator, output, passes, program.nextStep()));
    }
    program.add(
        new Step.Kernel(
            operator, operator.name(), reads, writes, costs.of(operator, reads, writes)));
  }

  /** The outputs are the memory of the input, one after the other. */
  private void view(Operator operator, Value input, Set<Integer> passes) {
    Expr offset = Expr.ZERO;
    for (Operand output : operator.outputs()) {
      write(
          output,
          summands.yielded(operator, output, passes),
          new Value.Source.View(input.id(), offset));
      offset = offset.plus(costs.whole(OperatorRule.last(output)));
    }
  }

  private RingAttention ring(Operator operator, Ring how, SubAxis ring, Set<Integer> passes) {
    return new RingAttention(
        program,
        costs,
        ring,
        operator,
        how,
        new RingAttention.Outputs() {
          @Override
          public Value whole(Operand output) {
            return write(operator, output, passes, program.nextStep());
          }

          @Override
          public Value part(Operand output, String name) {
            Tensor tensor = tensor(output.tensor());
            Layout layout = summands.yielded(operator, output, passes);
            return program.scratch(name, tensor.element(), layout, local(tensor, layout));
          }
        });
  }

  private Value write(Operator operator, Operand output, Set<Integer> passes, int step) {
    return write(output, summands.yielded(operator, output, passes), new Value.Source.Step(step));
  }

  private Value write(Operand output, Layout layout, Value.Source source) {
    Tensor tensor = tensor(output.tensor());
    return program.write(tensor.name(), tensor.element(), layout, local(tensor, layout), source);
  }

  /**
   * The mesh axis along which queries as well as keys and values are split; -1 if there is none.
   */
  private int ring(Operator operator) {
    if (operators.of(operator).ring().isEmpty()) {
      return -1;
    }
    return IntStream.range(0, mesh.axes().size())
        .filter(m -> isSplit(operator, m, AxisRole.QUERY_SEQUENCE))
        .filter(m -> isSplit(operator, m, AxisRole.KEY_SEQUENCE))
        .findFirst()
        .orElse(-1);
  }

  private boolean isSplit(Operator operator, int meshAxis, AxisRole role) {
    return roles.first(operator.axes(), role).filter(a -> rules.shards(meshAxis, a)).isPresent();
  }

  /** Where some addends are partial along more axes than others, they are added up first. */
  private Operator addPartialsFirst(Operator sum) {
    int most = sum.inputs().stream().mapToInt(this::partialAxes).max().orElse(0);
    Map<Boolean, List<Operand>> split =
        sum.inputs().stream()
            .collect(Collectors.partitioningBy(input -> most > 0 && partialAxes(input) == most));
    List<Operand> partial = split.getOrDefault(true, List.of());
    List<Operand> whole = split.getOrDefault(false, List.of());
    if (partial.size() < 2 || whole.isEmpty()) {
      return sum;
    }
    Tensor of = tensor(sum.output().tensor());
    Tensor part = new Tensor(of.name() + ".partial", of.axes(), of.element());
    tensors.put(part.name(), part);
    Operand output = new Operand(part.name(), sum.output().axes());
    place(Operator.of(sum.name() + ".partial", sum.kind(), partial, output));
    List<Operand> rest = Stream.concat(whole.stream(), Stream.of(output)).toList();
    return Operator.of(sum.name(), sum.kind(), rest, sum.output());
  }

  private int partialAxes(Operand operand) {
    return program.latest(operand.tensor()).layout().partialAxes();
  }

  private List<Expr> local(Tensor tensor, Layout layout) {
    return layout.local(mesh, costs.sizes(tensor.axes()));
  }

  private Tensor tensor(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("module " + module.name() + ": no tensor: " + name);
    }
    return tensor;
  }
}
