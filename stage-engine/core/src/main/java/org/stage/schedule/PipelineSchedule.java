package org.stage.schedule;

import java.util.ArrayList;
import java.util.List;
import org.stage.spec.Training.ScheduleKind;

/** The order of forward and backward passes on each pipeline stage. */
public final class PipelineSchedule {
  private PipelineSchedule() {}

  /**
   * The turns of one stage.
   *
   * @param kind which schedule
   * @param stages number of stages
   * @param stage this one, from 0
   * @param microBatches micro-batches per step
   */
  public static List<Slot> slots(ScheduleKind kind, int stages, int stage, int microBatches) {
    // 1F1B: before its first backward, a stage runs one forward for each stage behind it.
    int warmUp =
        switch (kind) {
          case GPIPE -> microBatches;
          case ONE_F_ONE_B -> Math.min(microBatches, stages - 1 - stage);
        };
    List<Slot> slots = new ArrayList<>(2 * microBatches);
    for (int i = 0; i < warmUp; i++) {
      slots.add(new Slot(true, i));
    }
    for (int i = warmUp; i < microBatches; i++) {
      slots.add(new Slot(true, i));
      slots.add(new Slot(false, i - warmUp));
    }
    for (int i = microBatches - warmUp; i < microBatches; i++) {
      slots.add(new Slot(false, i));
    }
    return List.copyOf(slots);
  }
}
