package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.api.workload.Group;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Turn;

/**
 * One pipeline stage: its modules and its turns. All ranks of the stage share it.
 *
 * @param stage pipeline rank
 * @param pipeline the pipeline that it belongs to
 * @param chunks its modules, one chunk after the other
 * @param tied the reduction of a tied table's gradient between first and last stage, where there is
 *     one on this stage
 * @param mirror this stage and the one that holds copies of its modules, where there are any
 */
public record StagePlan(
    int stage, Pipeline pipeline, List<Chunk> chunks, Optional<Sync> tied, Optional<Group> mirror) {
  /** Copies the list. */
  public StagePlan {
    chunks = List.copyOf(chunks);
  }

  /**
   * A module at its place.
   *
   * @param name {@code embedding}, {@code layers.17}, {@code head}
   * @param plan what it runs
   */
  public record Unit(String name, UnitPlan plan) {
    private static final String LAYERS = "layers.";

    /** Whether it is a decoder layer. */
    public boolean isLayer() {
      return name.startsWith(LAYERS);
    }
  }

  /**
   * Modules that a micro-batch passes in one turn.
   *
   * @param index index on the stage
   * @param position where in the model it stands
   * @param isFirst whether nothing comes before it
   * @param isLast whether nothing comes behind it
   * @param units its modules in forward order
   */
  public record Chunk(int index, int position, boolean isFirst, boolean isLast, List<Unit> units) {
    /** Copies the list. */
    public Chunk {
      units = List.copyOf(units);
    }
  }

  static StagePlan of(JobPlan job, int stage, Optional<Sync> tied) {
    Pipeline pipeline = job.pipeline();
    List<Chunk> chunks = new ArrayList<>();
    for (int index = 0; index < pipeline.chunks(); index++) {
      int position = pipeline.position(stage, index);
      boolean first = pipeline.isFirst(stage, index);
      boolean last = pipeline.isLast(stage, index);
      chunks.add(new Chunk(index, position, first, last, units(job, position, first, last)));
    }
    return new StagePlan(stage, pipeline, chunks, tied, mirror(pipeline, stage));
  }

  private static List<Unit> units(JobPlan job, int position, boolean first, boolean last) {
    List<Unit> units = new ArrayList<>();
    if (first) {
      units.add(unit(job, JobPlan.EMBEDDING, job.embedding()));
    }
    for (int layer = job.firstLayer(position); layer < job.firstLayer(position + 1); layer++) {
      units.add(unit(job, Unit.LAYERS + layer, job.layer(layer)));
    }
    if (last) {
      units.add(unit(job, JobPlan.HEAD, job.head()));
    }
    return units;
  }

  private static Unit unit(JobPlan job, String name, UnitPlan plan) {
    return new Unit(name, job.timing().units().getOrDefault(name, plan));
  }

  /** Its modules, one chunk after the other. */
  public List<Unit> units() {
    return chunks.stream().flatMap(chunk -> chunk.units().stream()).toList();
  }

  /** Its turns, in order. */
  public List<Turn> turns() {
    return pipeline.turns(stage);
  }

  /** How often a step runs through each chunk. */
  public int microBatches() {
    return pipeline.microBatchesOfChunk();
  }

  /** Chunks that send their output on, and receive its gradient. */
  public int forwardSends() {
    return (int) chunks.stream().filter(chunk -> !chunk.isLast()).count();
  }

  /** Chunks that send the gradient of their input back, and receive the input. */
  public int backwardSends() {
    return (int) chunks.stream().filter(chunk -> !chunk.isFirst()).count();
  }

  private static Optional<Group> mirror(Pipeline pipeline, int stage) {
    int other = pipeline.ranks() - 1 - stage;
    return pipeline.hasCopies()
        ? Optional.of(
            new Group.Members("pp", List.of(Math.min(stage, other), Math.max(stage, other))))
        : Optional.empty();
  }
}
