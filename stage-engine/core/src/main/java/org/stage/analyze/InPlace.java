package org.stage.analyze;

import org.stage.api.graph.OperatorKind;
import org.stage.instantiate.Program.Instruction;

/** Kernels that write over what they read. */
final class InPlace {
  private InPlace() {}

  /** Whether the output of {@code instruction} takes the place of its first input. */
  static boolean is(Instruction instruction) {
    return instruction instanceof Instruction.Kernel kernel
        && OperatorKind.ofText(kernel.operator()).map(OperatorKind::worksInPlace).orElse(false);
  }
}
