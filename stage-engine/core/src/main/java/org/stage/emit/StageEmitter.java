package org.stage.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.plan.Durations;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitAction;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;
import org.stage.state.Action;
import org.stage.state.GradientNorm;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work;

/**
 * Builds the execution graph of one pipeline stage, turn by turn, in a legal order of execution.
 *
 * <p>That order is deadlock-free under any timing, even where a send blocks until its receive is
 * posted: a receive waits only for the last kernel of the micro-batch before it in the same chunk
 * and direction (which frees its buffer), and the gradients of a step are reduced behind all that
 * stages and programs exchange; those of which another stage has a part, a tied table's and those
 * of DualPipe's copies, come last.
 */
public final class StageEmitter {
  private final StepPlan plan;
  private final GraphWriter graph = new GraphWriter();
  private final List<ChunkEmitter> chunks = new ArrayList<>();
  private final List<UnitEmitter> units = new ArrayList<>();
  private final Function<Action, Details> details;

  /** What modules have added to the norm of all gradients. */
  private final List<TensorRef> normParts = new ArrayList<>();

  private @Nullable TensorRef norm;

  private StageEmitter(StepPlan plan, String table, Precision precision, Durations durations) {
    this.plan = plan;
    this.details = durations.details(plan, "");
    for (StepPlan.Chunk chunk : plan.chunks()) {
      ChunkEmitter emitter = new ChunkEmitter(plan, chunk, graph, durations, precision);
      chunks.add(emitter);
      units.addAll(emitter.units());
    }
    lendTable(table);
  }

  /** One class for each plan of a stage; its graph is built when asked for. */
  public static List<RankClass> rankClasses(JobPlan job, Durations durations) {
    String table = job.job().model().ends().table();
    return job.stepPlans().stream()
        .map(
            plan ->
                new RankClass(
                    plan.stage(),
                    plan.ranks(),
                    () -> new StageEmitter(plan, table, job.precision(), durations).build()))
        .toList();
  }

  /**
   * The head of a tied model reads the table of an embedding on the same stage. Where they are in
   * chunks of their own, the embedding's gradient is complete last.
   */
  private void lendTable(String table) {
    Map<String, StateEmitter> states =
        units.stream().collect(Collectors.toMap(each -> each.unit().name(), UnitEmitter::states));
    StateEmitter embedding = states.get(StepPlan.EMBEDDING);
    StateEmitter head = states.get(StepPlan.HEAD);
    if (embedding != null && head != null) {
      embedding.find(table).ifPresent(lent -> head.borrow(table, lent));
    }
  }

  private ExecutionGraph build() {
    for (Turn turn : plan.turns()) {
      graph.beginTurn();
      run(turn.slots());
    }
    graph.beginTurn();
    plan.end().forEach(this::add);
    return graph.finish();
  }

  /** Adds the passes of a turn, two of them by turns. */
  private void run(List<Slot> slots) {
    List<PassRun> passes =
        slots.stream().map(slot -> chunks.get(slot.chunk()).begin(slot)).toList();
    if (passes.size() > 1) {
      PassRun.overlap(passes.get(0), passes.get(1), graph);
    } else {
      passes.get(0).all();
    }
    for (int i = 0; i < slots.size(); i++) {
      graph.stream(i);
      chunks.get(slots.get(i).chunk()).end(slots.get(i), graph.lastKernel());
    }
  }

  private void add(UnitAction each) {
    StateAction action = (StateAction) each.action();
    UnitEmitter unit = units.get(each.unit());
    Details known = each.place().isEmpty() ? details.apply(action) : unit.details(action);
    switch (action.kind()) {
      case SQUARE_SUM -> normParts.add(addToNorm(each, unit.states().gradients(), known));
      case NORM_SUM, NORM_REDUCE ->
          norm = addToNorm(each, norm == null ? normParts : List.of(norm), known);
      default -> {
        boolean clips = action.kind() == StateAction.Kind.UPDATE && !normParts.isEmpty();
        Optional<TensorRef> by = clips ? Optional.of(norm()) : Optional.empty();
        unit.states().add(each, OptionalInt.empty(), known, behind(each), by);
      }
    }
  }

  /** The last pass of its chunk, for what is reduced behind that. */
  private Ids behind(UnitAction each) {
    return each.action().moment() != Moment.AFTER_LAST_PASS
        ? Ids.NONE
        : plan.chunks().stream()
            .filter(chunk -> chunk.unitIndices().anyMatch(unit -> unit == each.unit()))
            .map(chunk -> chunks.get(chunk.index()).lastCompleting())
            .findFirst()
            .orElse(Ids.NONE);
  }

  /** The norm as far as it is summed up; of one module's gradients it needs no sum. */
  private TensorRef norm() {
    return norm == null ? normParts.get(0) : norm;
  }

  private TensorRef addToNorm(UnitAction each, List<TensorRef> of, Details known) {
    boolean kernel = each.action().work() instanceof Work.Kernel;
    Ids deps = IdSet.writers(of);
    Action action = each.action();
    TensorRef written = graph.written(each.name(), GradientNorm.sums(action.work()));
    NodeHeader header =
        graph.header(
            each.name(),
            new Position(OptionalInt.empty(), each.place(), action.name(), action.role()),
            action,
            new NodeHeader.Dependencies(deps, kernel ? graph.turnDeps(deps) : Ids.NONE),
            new NodeHeader.Access(IdSet.of(of), Ids.of(written.id())),
            known);
    graph.add(header, action.work());
    return written;
  }
}
