package org.stage.emit;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.plan.Program;

/** Where the variables of a program are in a pass of one micro-batch, as far as it has come. */
final class Values {
  private final Program program;
  private final @Nullable TensorRef[] at;

  Values(Program program) {
    this.program = program;
    this.at = new TensorRef[program.variables().size()];
  }

  /** Where a variable is, if it has been written, handed over or loaded. */
  Optional<TensorRef> find(int variable) {
    return Optional.ofNullable(at[variable]);
  }

  /**
   * The same of one that is.
   *
   * @throws IllegalStateException if it is not there yet
   */
  TensorRef get(int variable) {
    return find(variable)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    program.variables().get(variable).name() + " is read before it is there"));
  }

  void put(int variable, TensorRef tensor) {
    at[variable] = tensor;
  }

  /** What goes to the next module. */
  TensorRef outgoing() {
    return get(program.outgoing().orElseThrow());
  }
}
