package org.stage.analyze;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.symbol.Expr;
import org.stage.parallel.Value;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.Program.Variable;
import org.stage.plan.UnitPlan;
import org.stage.state.Moment;

/**
 * A backward pass with what runs again in it, as one program: of its variables the first are those
 * of the forward program, then those of the backward program, then what is made again. What
 * backward reads of the forward pass is a view of what was kept, or of what is made again.
 */
final class BackwardPass {
  private final UnitPlan unit;
  private final List<Variable> variables = new ArrayList<>();
  private final int offset;

  /** By variable of the forward program. */
  private final Map<Integer, Integer> madeAgain = new HashMap<>();

  BackwardPass(UnitPlan unit) {
    this.unit = unit;
    variables.addAll(unit.forward().variables());
    offset = variables.size();
    unit.backward().variables().forEach(variables::add);
    for (Instruction instruction : unit.recomputed().instructions()) {
      for (int variable : instruction.writes()) {
        madeAgain.put(variable, variables.size());
        variables.add(unit.forward().variables().get(variable));
      }
    }
    for (int v = offset; v < offset + unit.backward().variables().size(); v++) {
      variables.set(v, moved(variables.get(v)));
    }
  }

  private Variable moved(Variable of) {
    if (of.source() instanceof Value.Source.View view) {
      return with(of, new Value.Source.View(offset + view.value(), view.offset()));
    }
    if (of.source() instanceof Value.Source.Saved saved) {
      int root = unit.forward().root(saved.value());
      boolean again = unit.recomputed().replaced().contains(root);
      int at = again ? madeAgain.getOrDefault(root, root) : root;
      return with(of, new Value.Source.View(at, Expr.ZERO));
    }
    return of;
  }

  private static Variable with(Variable of, Value.Source source) {
    return new Variable(of.tensor(), of.name(), of.type(), of.parameter(), source);
  }

  /** The program of a backward pass, or of a part of it. */
  Program program(Set<Moment> of) {
    List<Instruction> instructions = unit.backward(of).map(this::moved).toList();
    Map<String, Integer> outputs = new HashMap<>();
    unit.backward().outputs().forEach((name, variable) -> outputs.put(name, offset + variable));
    return new Program(instructions, variables, outputs);
  }

  private Instruction moved(Instruction of) {
    boolean again = of.moment() == Moment.RECOMPUTATION;
    List<Integer> reads = of.reads().stream().map(v -> again ? repeated(v) : offset + v).toList();
    List<Integer> writes = of.writes().stream().map(v -> again ? repeated(v) : offset + v).toList();
    return new Instruction(of.name(), of.moment(), of.work(), reads, writes);
  }

  private int repeated(int variable) {
    int root = unit.forward().root(variable);
    return madeAgain.getOrDefault(root, root);
  }

  /** What is there when it begins: what was kept, and what the module behind hands over. */
  Set<Integer> arriving() {
    Set<Integer> arriving = new HashSet<>(unit.kept());
    List<Variable> backward = unit.backward().variables();
    for (int v = 0; v < backward.size(); v++) {
      if (backward.get(v).source() instanceof Value.Source.Neighbour) {
        arriving.add(offset + v);
      }
    }
    return arriving;
  }
}
