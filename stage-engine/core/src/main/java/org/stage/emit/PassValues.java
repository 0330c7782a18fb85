package org.stage.emit;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.plan.Program;

/** Where the variables of a program are in a pass of one micro-batch, as far as it has come. */
final class PassValues {
  private final Program program;
  private final String prefix;
  private final String suffix;
  private final @Nullable TensorRef[] at;

  /**
   * A pass that has not begun.
   *
   * @param prefix what names of nodes and tensors begin with
   * @param suffix what they end with
   */
  PassValues(Program program, String prefix, String suffix) {
    this.program = program;
    this.prefix = prefix;
    this.suffix = suffix;
    this.at = new TensorRef[program.variables().size()];
  }

  Program program() {
    return program;
  }

  /** Whether it makes again what a forward pass made. */
  boolean isAgain() {
    return !suffix.isEmpty();
  }

  /** The name of a node or tensor of the pass. */
  String name(String inModule) {
    return prefix + inModule + suffix;
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
    TensorRef there = at[variable];
    if (there == null) {
      String name = name(program.variables().get(variable).name());
      throw new IllegalStateException(name + " is read before it is there");
    }
    return there;
  }

  void put(int variable, TensorRef tensor) {
    at[variable] = tensor;
  }

  /** What goes to the next module. */
  TensorRef outgoing() {
    return get(program.outgoing().orElseThrow());
  }
}
