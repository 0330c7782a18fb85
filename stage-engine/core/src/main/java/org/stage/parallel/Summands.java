package org.stage.parallel;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.operator.OperatorRule;

/**
 * Partial sums around an operator: along which mesh axes it passes those of its inputs on, and in
 * which layout that leaves its outputs.
 */
final class Summands {
  private final Placing placing;
  private final PlacedModuleBuilder program;

  /** Those of a program under construction. */
  Summands(Placing placing, PlacedModuleBuilder program) {
    this.placing = placing;
    this.program = program;
  }

  /** The mesh axes along which what is at hand of an operand is a partial sum. */
  Set<Integer> of(Operand operand) {
    return program.latest(operand.tensor()).layout().sums();
  }

  /**
   * The mesh axes along which partial sums pass through. Parts of a dimension nest: where an axis
   * is to shard one, an outer one that is to shard it too cannot stay partial.
   */
  Set<Integer> passing(Operator operator) {
    Set<Integer> passes = where(m -> passes(operator, m));
    for (List<Integer> dimension : Layout.of(placing.rules(), operator.output().axes()).shards()) {
      for (int inner = 1; inner < dimension.size(); inner++) {
        if (!passes.contains(dimension.get(inner))) {
          passes.removeAll(dimension.subList(0, inner));
        }
      }
    }
    return passes;
  }

  /**
   * Whether partial sums along a mesh axis pass through: a sum of partial sums is one; and an
   * operator that is linear in one partial input, and not itself split there, yields partial sums.
   */
  private boolean passes(Operator operator, int meshAxis) {
    long partial = operator.inputs().stream().filter(input -> of(input).contains(meshAxis)).count();
    return switch (placing.operators().of(operator).partialSums(operator)) {
      case PASSED_TOGETHER, ADDED -> partial == operator.inputs().size();
      case PASSED_ALONE -> partial == 1 && !isSplit(operator, meshAxis);
      case REDUCED -> false;
    };
  }

  /**
   * The layout of an output: as the rules have it, but partial along the mesh axes along which an
   * input that is read for it is, or along which the operator is split and the output is not.
   *
   * @param passes the mesh axes along which partial sums pass through
   */
  Layout yielded(Operator operator, Operand output, Set<Integer> passes) {
    Set<Integer> reaching = where(m -> passes.contains(m) && reaches(operator, output, m));
    Layout layout = Layout.of(placing.rules(), output.axes()).summing(reaching);
    Set<Integer> partial =
        where(m -> !passes.contains(m) && !layout.isSharded(m) && isSplit(operator, m));
    return placing.operators().of(operator).yieldsMaxima()
        ? new Layout(layout.shards(), layout.sums(), partial)
        : layout.summing(partial);
  }

  private boolean reaches(Operator operator, Operand output, int meshAxis) {
    OperatorRule rule = placing.operators().of(operator);
    int to = operator.outputs().indexOf(output);
    return IntStream.range(0, operator.inputs().size())
        .filter(from -> rule.reaches(from, to))
        .anyMatch(from -> of(operator.inputs().get(from)).contains(meshAxis));
  }

  private boolean isSplit(Operator operator, int meshAxis) {
    return operator.axes().stream().anyMatch(axis -> placing.rules().shards(meshAxis, axis));
  }

  private Set<Integer> where(IntPredicate holds) {
    return IntStream.range(0, placing.mesh().axes().size())
        .filter(holds)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
