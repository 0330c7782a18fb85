package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.api.workload.RankSet;
import org.stage.schedule.Slot;

/**
 * One pipeline stage: its modules in forward order and its turns, which many of its ranks share.
 *
 * @param stage pipeline rank
 * @param stages number of stages
 * @param expertRank the lowest expert-parallel coordinate of its ranks
 * @param ranks those that do this: all of the stage, or where experts are not equally loaded, those
 *     with as many rows
 * @param units its modules in forward order
 * @param slots its turns in order
 * @param tied the reduction of a tied table's gradient between first and last stage, where there is
 *     one on this stage
 */
public record StagePlan(
    int stage,
    int stages,
    int expertRank,
    RankSet ranks,
    List<Unit> units,
    List<Slot> slots,
    Optional<Sync> tied) {
  private static final String LAYER = "layers.";

  /** Copies the lists. */
  public StagePlan {
    units = List.copyOf(units);
    slots = List.copyOf(slots);
  }

  /**
   * A module at its place.
   *
   * @param name {@code embedding}, {@code layers.17}, {@code head}
   * @param plan what it runs
   */
  public record Unit(String name, UnitPlan plan) {
    /** Whether it is a decoder layer. */
    public boolean isLayer() {
      return name.startsWith(LAYER);
    }
  }

  static List<Unit> units(JobPlan job, int stage, int expertRank) {
    List<Unit> units = new ArrayList<>();
    if (stage == 0) {
      units.add(unit(job, expertRank, JobPlan.EMBEDDING, job.embedding()));
    }
    for (int layer = job.firstLayer(stage); layer < job.firstLayer(stage + 1); layer++) {
      units.add(unit(job, expertRank, LAYER + layer, job.layer(layer, expertRank)));
    }
    if (stage == job.stages() - 1) {
      units.add(unit(job, expertRank, JobPlan.HEAD, job.head()));
    }
    return units;
  }

  private static Unit unit(JobPlan job, int expertRank, String name, UnitPlan plan) {
    return new Unit(name, job.timing().units().getOrDefault(Timing.key(name, expertRank), plan));
  }

  /** Whether this is the first stage. */
  public boolean isFirst() {
    return stage == 0;
  }

  /** Whether this is the last stage. */
  public boolean isLast() {
    return stage == stages - 1;
  }
}
