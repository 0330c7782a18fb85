package org.stage.operator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.symbol.Expr;

/** Rows of a table, and their gradients. A sharded table yields partial sums. */
final class Lookups {
  private static final List<String> MODULES = List.of("embedding");

  private Lookups() {}

  static List<OperatorRule> rules() {
    return List.of(new Lookup(OperatorKind.LOOKUP), new LookupGrad(OperatorKind.LOOKUP_GRAD));
  }

  /** {@code (table, indices) -> rows}: a gather, no product. */
  private record Lookup(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 0;
    }

    /** Of the table only the rows that are looked up. */
    @Override
    public Expr read(int input, Expr elements, Expr written) {
      return input == 0 ? written : elements;
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      List<Operand> in = List.of(dy, f.inputs().get(1));
      List<Operand> table = f.inputs().subList(0, 1);
      gradients.add(GradientNames.of(f.name()), OperatorKind.LOOKUP_GRAD, in, table);
    }

    @Override
    public MeasuredOperator.Kind measuredAs() {
      return MeasuredOperator.Kind.EMBEDDING;
    }

    @Override
    public List<String> modules() {
      return MODULES;
    }

    /** The rows: all that is known of the table is its size. */
    @Override
    public boolean isMeasuredByOutput() {
      return true;
    }
  }

  /** {@code (dy, indices) -> dtable}: a scatter-add of rows. */
  private record LookupGrad(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 1;
    }

    @Override
    public PartialSums partialSums(Operator operator) {
      return PartialSums.PASSED_ALONE;
    }

    /** It works on the rows that come back. */
    @Override
    public Set<String> counted(Operator operator) {
      return new LinkedHashSet<>(operator.inputs().get(0).axes());
    }

    @Override
    public Expr written(Expr elements, Expr firstRead) {
      return firstRead;
    }

    @Override
    public MeasuredOperator.Kind measuredAs() {
      return MeasuredOperator.Kind.EMBEDDING;
    }

    @Override
    public List<String> modules() {
      return MODULES;
    }
  }
}
