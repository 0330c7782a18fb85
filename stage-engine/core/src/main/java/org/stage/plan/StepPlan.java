package org.stage.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.stage.api.workload.RankSet;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;
import org.stage.state.Moment;

/**
 * The step of one pipeline stage as data, which many of its ranks share: the actions of each pass,
 * once for all micro-batches; the turns, which say which pass of which micro-batch comes when; and
 * the actions at the end of the step. Whatever is to be known of a step adds up these actions.
 *
 * @param stage pipeline rank
 * @param pipeline the pipeline that it belongs to
 * @param expertRank the lowest expert-parallel coordinate of its ranks
 * @param ranks those that do this: all of the stage, or where experts are not equally loaded, those
 *     with as many rows
 * @param chunks its modules and their passes, one chunk after the other
 * @param end what comes behind all passes, in order
 */
public record StepPlan(
    int stage,
    Pipeline pipeline,
    int expertRank,
    RankSet ranks,
    List<Chunk> chunks,
    List<UnitAction> end) {
  /** The name of the first module of a model. */
  public static final String EMBEDDING = "embedding";

  /** The name of the last. */
  public static final String HEAD = "head";

  static final String LAYER = "layers.";

  /** Copies the lists. */
  public StepPlan {
    chunks = List.copyOf(chunks);
    end = List.copyOf(end);
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

  /**
   * Modules that a micro-batch passes in one turn.
   *
   * @param index index on the stage
   * @param position where in the model it stands
   * @param firstUnit index of its first module among those of the stage
   * @param units its modules in forward order
   * @param passes the actions of each pass that the schedule has, for one micro-batch
   */
  public record Chunk(
      int index,
      int position,
      int firstUnit,
      List<Unit> units,
      Map<Pass, List<UnitAction>> passes) {
    /** Copies list and map. */
    public Chunk {
      units = List.copyOf(units);
      passes = Map.copyOf(passes);
    }

    /** Indices of its modules among those of the stage. */
    public IntStream unitIndices() {
      return IntStream.range(firstUnit, firstUnit + units.size());
    }
  }

  /** The actions of a pass, in order. */
  public List<UnitAction> pass(Slot slot) {
    return chunks.get(slot.chunk()).passes().getOrDefault(slot.pass(), List.of());
  }

  /** Its modules, one chunk after the other. */
  public List<Unit> units() {
    List<Unit> units = new ArrayList<>();
    chunks.forEach(chunk -> units.addAll(chunk.units()));
    return units;
  }

  /** Its turns, in order. */
  public List<Turn> turns() {
    return pipeline.turns(stage);
  }

  /** Hands over each action with how often it is done in a step, as the turns have it. */
  public void forEach(ObjLongConsumer<UnitAction> fold) {
    Map<Slot, List<Integer>> microBatches = new LinkedHashMap<>();
    for (Turn turn : turns()) {
      for (Slot slot : turn.slots()) {
        microBatches
            .computeIfAbsent(new Slot(slot.pass(), slot.chunk(), 0), pass -> new ArrayList<>())
            .add(slot.microBatch());
      }
    }
    microBatches.forEach(
        (pass, of) -> {
          Map<Moment, Long> times = new EnumMap<>(Moment.class);
          for (UnitAction each : pass(pass)) {
            Moment moment = each.action().moment();
            fold.accept(each, times.computeIfAbsent(moment, m -> count(m, pass.chunk(), of)));
          }
        });
    end.forEach(each -> fold.accept(each, 1));
  }

  private long count(Moment moment, int chunk, List<Integer> microBatches) {
    return microBatches.stream().filter(each -> comes(moment, chunk, each)).count();
  }

  /** Whether something comes with a micro-batch that runs through a chunk. */
  public boolean comes(Moment moment, int chunk, int microBatch) {
    int first = pipeline.firstMicroBatch(chunk);
    return moment.comesWith(microBatch, first, first + pipeline.microBatchesOfChunk() - 1);
  }
}
