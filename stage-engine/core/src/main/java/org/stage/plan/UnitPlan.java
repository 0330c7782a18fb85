package org.stage.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Rational;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
import org.stage.backward.Recomputation;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.parallel.Numbers;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.Value;
import org.stage.state.Action;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.ParameterUpdate;
import org.stage.state.Reduction;
import org.stage.state.Work;
import org.stage.state.Zero;

/**
 * A module as one device runs it, with numbers; all layers of a kind share one.
 *
 * @param forward program of a forward pass
 * @param backward program of a backward pass
 * @param recomputed what of the forward program runs again in backward
 * @param offload the copies that take to host memory what it keeps for backward, and bring it back;
 *     none if it stays
 * @param states its parameters, gradients and optimizer states
 * @param matrices elements of each matrix among its parameters, of experts one of them
 */
public record UnitPlan(
    Program forward,
    Program backward,
    RecomputedOperators recomputed,
    List<Instruction> offload,
    ModuleStates states,
    Map<String, Long> matrices) {
  /** Copies list and map. */
  public UnitPlan {
    offload = List.copyOf(offload);
    matrices = Map.copyOf(matrices);
  }

  /**
   * How a module is run beyond its placement.
   *
   * @param zero how its states are sharded
   * @param update how its parameters are updated
   * @param recomputation what of it runs again in backward
   * @param regathered whether ZeRO-3 gathers its parameters again for backward
   * @param offloads whether what it keeps for backward lies in host memory
   * @param weightGradients where gradients of weights stand
   * @param begun parameters whose gradient another module of the device has begun
   */
  record How(
      Zero zero,
      ParameterUpdate update,
      Recomputation recomputation,
      boolean regathered,
      boolean offloads,
      WeightGradients weightGradients,
      Set<String> begun) {}

  /** Evaluates a placed module. */
  static UnitPlan of(PlacedUnit unit, Numbers numbers, How how) {
    Map<String, Long> parameters = new LinkedHashMap<>();
    unit.parameters().forEach((name, elements) -> parameters.put(name, numbers.of(elements)));
    Map<String, Long> matrices = new HashMap<>();
    unit.matrices().forEach((name, elements) -> matrices.put(name, numbers.of(elements)));
    ModuleStates states =
        ModuleStates.of(
            parameters,
            reductions(unit, numbers, false),
            reductions(unit, numbers, true),
            how.zero(),
            how.regathered(),
            how.update());
    Predicate<String> inPlace =
        parameter -> !states.scattersEachBackward(parameter) || how.begun().contains(parameter);
    Program forward = Program.of(unit.forward(), numbers, inPlace);
    Program backward = Program.backward(unit.backward(), numbers, inPlace, how.weightGradients());
    RecomputedOperators again = repetition(unit, numbers, how.recomputation(), forward, backward);
    SharedGathers gathers = SharedGathers.of(forward, backward, again);
    UnitPlan plan =
        new UnitPlan(
            forward, gathers.backward(), gathers.recomputed(), List.of(), states, matrices);
    return how.offloads() ? plan.offloading() : plan;
  }

  private static RecomputedOperators repetition(
      PlacedUnit unit, Numbers numbers, Recomputation wanted, Program forward, Program backward) {
    if (wanted.operators().isEmpty()) {
      return RecomputedOperators.NONE;
    }
    IntFunction<Rational> bytes =
        variable -> {
          Value value = unit.forward().values().get(variable);
          return numbers.evenBytes(value.element(), value.elements());
        };
    return Repetition.of(forward, unit.forward(), wanted, read(forward, backward), bytes);
  }

  private static List<Reduction> reductions(PlacedUnit unit, Numbers numbers, boolean replicas) {
    return unit.syncs().stream()
        .filter(sync -> sync.replicas() == replicas)
        .map(
            sync ->
                new Reduction(
                    sync.kind(),
                    numbers.of(sync.elements()),
                    numbers.type(Element.GRADIENT),
                    numbers.group(sync.axes()),
                    sync.parameters()))
        .toList();
  }

  private UnitPlan offloading() {
    List<Integer> kept = List.copyOf(kept());
    long bytes = keptBytes();
    Instruction store =
        new Instruction(
            "offload", Moment.AFTER_FORWARD, new Work.HostCopy(true, bytes), kept, List.of());
    Instruction load =
        new Instruction(
            "reload", Moment.BEFORE_BACKWARD, new Work.HostCopy(false, bytes), List.of(), kept);
    return new UnitPlan(forward, backward, recomputed, List.of(store, load), states, matrices);
  }

  /** All that it does in a step, but for what its stage adds: pass by pass, then its states. */
  public List<Action> actions() {
    return Stream.of(
            forward.instructions(),
            recomputed.instructions(),
            backward.instructions(),
            offload,
            states.actions())
        .<Action>flatMap(List::stream)
        .toList();
  }

  /**
   * A backward pass, or a part of it, in order. What runs again does so in the part that other
   * modules wait for: each piece of it before the first instruction that reads of it, or at the
   * end.
   *
   * @param of which instructions
   */
  public Stream<Instruction> backward(Set<Moment> of) {
    List<List<Instruction>> left = new ArrayList<>();
    if (of.contains(Moment.INPUT_GRADIENTS)) {
      left.addAll(recomputed.parts(forward));
    }
    List<Instruction> pass = new ArrayList<>();
    for (Instruction instruction : backward.instructions()) {
      if (of.contains(instruction.moment())) {
        Set<Integer> reads = new HashSet<>();
        instruction.reads().forEach(each -> replaced(each).ifPresent(reads::add));
        left.stream().filter(part -> makes(part, reads)).forEach(pass::addAll);
        left.removeIf(part -> makes(part, reads));
        pass.add(instruction);
      }
    }
    left.forEach(pass::addAll);
    return pass.stream();
  }

  private static boolean makes(List<Instruction> part, Set<Integer> some) {
    return part.stream().anyMatch(each -> each.writes().stream().anyMatch(some::contains));
  }

  /** The copies to host memory, or from there, at a moment. */
  Stream<Instruction> offload(Moment moment) {
    return offload.stream().filter(copy -> copy.moment() == moment);
  }

  /** What a variable of the backward program is in the forward program, if that is made again. */
  private Optional<Integer> replaced(int variable) {
    return backward.variables().get(backward.root(variable)).source()
            instanceof Value.Source.Saved from
        ? Optional.of(forward.root(from.value())).filter(recomputed.replaced()::contains)
        : Optional.empty();
  }

  /** Dimensions of the parameters that it owns, in the order of its states. */
  public Map<String, TensorType> parameterTypes() {
    Map<String, TensorType> types = new LinkedHashMap<>();
    states.parameters().keySet().forEach(each -> types.put(each, parameterType(each)));
    return types;
  }

  private TensorType parameterType(String parameter) {
    return forward.variables().stream()
        .filter(each -> each.isGiven() && each.tensor().equals(parameter))
        .map(Program.Variable::type)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nothing reads " + parameter));
  }

  /**
   * What a forward pass leaves for the backward pass, parameters aside: variables of the forward
   * program, in order.
   */
  public Set<Integer> kept() {
    Set<Integer> kept = new TreeSet<>(read(forward, backward));
    Set<Integer> made = new HashSet<>();
    for (Instruction instruction : recomputed.instructions()) {
      for (int variable : instruction.reads()) {
        int root = forward.root(variable);
        if (!made.contains(root) && !forward.variables().get(root).isGiven()) {
          kept.add(root);
        }
      }
      made.addAll(instruction.writes());
    }
    kept.removeAll(recomputed.replaced());
    return kept;
  }

  /** Bytes of what is kept. */
  public long keptBytes() {
    return Sums.of(kept().stream().mapToLong(root -> forward.variables().get(root).bytes()));
  }

  /** Variables of the forward program that the backward program reads, parameters aside. */
  private static Set<Integer> read(Program forward, Program backward) {
    Set<Integer> read = new HashSet<>();
    for (Program.Variable variable : backward.variables()) {
      if (variable.source() instanceof Value.Source.Saved from) {
        int root = forward.root(from.value());
        if (!forward.variables().get(root).isGiven()) {
          read.add(root);
        }
      }
    }
    return read;
  }
}
