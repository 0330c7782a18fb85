package org.stage.plan;

import java.util.List;
import org.stage.api.workload.Position;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * One step of a module's program with numbers: a kernel, a collective, a turn of a ring, or a copy
 * of what is kept to host memory and back.
 *
 * @param name its name inside the module
 * @param moment when it runs
 * @param work what it takes
 * @param reads variables read
 * @param writes variables written
 */
public record Instruction(
    String name, Moment moment, Work work, List<Integer> reads, List<Integer> writes)
    implements Action {
  /** Copies the lists. */
  public Instruction {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  @Override
  public Position.Role role() {
    if (work instanceof Work.HostCopy) {
      return Position.Role.OFFLOAD;
    }
    return switch (moment) {
      case INPUT_GRADIENTS -> Position.Role.INPUT_GRADIENT;
      case WEIGHT_GRADIENTS -> Position.Role.WEIGHT_GRADIENT;
      case RECOMPUTATION -> Position.Role.RECOMPUTATION;
      default -> Position.Role.FORWARD;
    };
  }

  Instruction at(Moment other) {
    return new Instruction(name, other, work, reads, writes);
  }
}
