package org.stage.analyze;

import java.util.HashSet;
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
    BackwardPass pass = new BackwardPass(unit);
    Program whole = pass.program(Set.of(Moment.INPUT_GRADIENTS, Moment.WEIGHT_GRADIENTS));
    Program first = pass.program(Set.of(Moment.INPUT_GRADIENTS));
    Program second = pass.program(Set.of(Moment.WEIGHT_GRADIENTS));
    Set<Integer> arriving = pass.arriving();
    Set<Integer> leaving = Lifetimes.leaving(whole);
    Set<Integer> keptForWeights = keptFor(second);
    Set<Integer> staying = new HashSet<>(keptForWeights);
    staying.addAll(leaving);
    Lifetimes weights = new Lifetimes(second, operators, keptForWeights, Set.of(), gradientBytes);
    return new UnitMemory(
        unit.keptBytes(),
        weights.bytes(keptForWeights),
        Lifetimes.ofForward(unit, operators).peak(),
        new Lifetimes(whole, operators, arriving, leaving, gradientBytes).peak(),
        new Lifetimes(first, operators, arriving, staying, gradientBytes).peak(),
        weights.peak());
  }

  /** What the second part of a backward pass reads and has not written itself. */
  private static Set<Integer> keptFor(Program weights) {
    Set<Integer> own = new HashSet<>();
    Set<Integer> kept = new HashSet<>();
    for (Instruction instruction : weights.instructions()) {
      instruction.reads().stream()
          .map(weights::root)
          .filter(read -> !own.contains(read) && !weights.variables().get(read).isGiven())
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
