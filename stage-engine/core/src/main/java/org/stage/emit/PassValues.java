package org.stage.emit;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Position;
import org.stage.plan.Program;
import org.stage.state.Action;

/** Where the variables of a program are in a pass of one micro-batch, as far as it has come. */
final class PassValues {
  private final Program program;
  private final int microBatch;
  private final String unit;
  private final String suffix;
  private final @Nullable TensorRef[] at;

  /**
   * A pass that has not begun.
   *
   * @param unit the module's name on its stage
   * @param suffix what names of nodes and tensors end with
   */
  PassValues(Program program, int microBatch, String unit, String suffix) {
    this.program = program;
    this.microBatch = microBatch;
    this.unit = unit;
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
    return "mb" + microBatch + "." + unit + "." + inModule + suffix;
  }

  /** Where a node of the pass stands. */
  Position position(String inModule, Action action) {
    return new Position(OptionalInt.of(microBatch), unit, inModule, action.role());
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
