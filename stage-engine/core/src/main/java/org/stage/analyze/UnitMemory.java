package org.stage.analyze;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.stage.operator.OperatorRules;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.UnitPlan;
import org.stage.schedule.Pass;
import org.stage.state.Moment;

/**
 * Activation memory of one module for one micro-batch, from the lifetimes of its tensors.
 *
 * @param kept bytes that stay from the forward pass for the backward pass, its input included where
 *     that is read again
 * @param keptForWeights bytes that stay from the first part of a backward pass for the second
 * @param forwardPeak most bytes alive during a forward pass, its input included
 * @param backwardPeak most bytes alive during a backward pass, what was kept included
 * @param inputsPeak the same of its first part, gradients of activations
 * @param weightsPeak the same of its second part, gradients of weights
 */
record UnitMemory(
    long kept,
    long keptForWeights,
    long forwardPeak,
    long backwardPeak,
    long inputsPeak,
    long weightsPeak) {
  /**
   * The memory of a module.
   *
   * @param operators what is known of its operators
   * @param gradientBytes as in {@link Lifetimes}
   */
  static UnitMemory of(UnitPlan unit, OperatorRules operators, int gradientBytes) {
    Program backward = unit.backward();
    List<Instruction> inputs = part(backward, Moment.INPUT_GRADIENTS);
    List<Instruction> weights = part(backward, Moment.WEIGHT_GRADIENTS);
    Set<Integer> keptForWeights = keptFor(backward, weights);
    Set<Integer> staying = new HashSet<>(keptForWeights);
    staying.addAll(Lifetimes.leaving(backward));
    Set<Integer> arriving = Lifetimes.arriving(backward);
    Lifetimes second =
        new Lifetimes(backward, operators, weights, keptForWeights, Set.of(), gradientBytes);
    return new UnitMemory(
        unit.keptBytes(),
        second.bytes(keptForWeights),
        Lifetimes.ofPass(unit.forward(), operators, unit.kept(), 0).peak(),
        Lifetimes.ofPass(backward, operators, Set.of(), gradientBytes).peak(),
        new Lifetimes(backward, operators, inputs, arriving, staying, gradientBytes).peak(),
        second.peak());
  }

  private static List<Instruction> part(Program backward, Moment moment) {
    return backward.instructions().stream().filter(each -> each.moment() == moment).toList();
  }

  /** What the second part of a backward pass reads and has not written itself. */
  private static Set<Integer> keptFor(Program backward, List<Instruction> weights) {
    Set<Integer> own = new HashSet<>();
    Set<Integer> kept = new HashSet<>();
    for (Instruction instruction : weights) {
      instruction.reads().stream()
          .map(backward::root)
          .filter(read -> !own.contains(read) && !backward.variables().get(read).isGiven())
          .forEach(kept::add);
      own.addAll(instruction.writes());
    }
    return kept;
  }

  /** Most bytes alive during a pass. */
  long peak(Pass pass) {
    return switch (pass) {
      case FORWARD -> forwardPeak;
      case BACKWARD -> backwardPeak;
      case INPUT_GRADIENTS -> inputsPeak;
      case WEIGHT_GRADIENTS -> weightsPeak;
    };
  }
}
