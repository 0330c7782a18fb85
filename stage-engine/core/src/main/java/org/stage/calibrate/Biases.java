package org.stage.calibrate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.UnitPlan;
import org.stage.state.Work;

/**
 * Which kernels of a module add a bias to a product that comes right before. Frameworks do both in
 * one kernel where they can, such as {@code aten::addmm}; its time is then that of both.
 *
 * @param products the name of the product by that of the kernel which adds a bias to it
 * @param bytes bytes of the bias by the name of the product
 */
record Biases(Map<String, String> products, Map<String, Long> bytes) {
  /** Those of a forward pass. */
  static Biases of(UnitPlan unit, OperatorRules operators) {
    Program program = unit.forward();
    Map<Integer, Instruction> made = new HashMap<>();
    Map<String, String> products = new HashMap<>();
    Map<String, Long> bytes = new HashMap<>();
    for (Instruction each : program.instructions()) {
      if (each.work() instanceof Work.Kernel kernel) {
        each.writes().forEach(written -> made.put(program.root(written), each));
        if (isSum(kernel, operators) && each.reads().size() == 2) {
          Instruction product = made.get(program.root(each.reads().get(0)));
          Program.Variable added = program.variables().get(program.root(each.reads().get(1)));
          if (product != null && added.isGiven() && fits(product, added, operators)) {
            products.put(each.name(), product.name());
            bytes.put(product.name(), added.bytes());
          }
        }
      }
    }
    return new Biases(products, bytes);
  }

  private static boolean isSum(Work.Kernel kernel, OperatorRules operators) {
    return operators.find(kernel.operator()).filter(OperatorRule::isSum).isPresent();
  }

  /** Whether it is one row for a product. */
  private static boolean fits(
      Instruction instruction, Program.Variable added, OperatorRules operators) {
    Work.Kernel kernel = (Work.Kernel) instruction.work();
    MatrixShape shape = kernel.shape();
    boolean isProduct =
        operators
            .find(kernel.operator())
            .map(OperatorRule::measuredAs)
            .filter(Kind.GEMM::equals)
            .isPresent();
    List<Integer> written = instruction.writes();
    return isProduct && written.size() == 1 && added.elements() == shape.n();
  }
}
