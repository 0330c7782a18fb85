package org.stage.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.stage.arithmetic.Sums;

/**
 * What a pipeline does when: each rank takes its turns in order, and each begins as soon as what
 * its passes need is there. Messages take no time. Arithmetic is exact.
 *
 * @param pipeline the pipeline
 * @param costs how long passes take
 * @param ranks by rank, its turns with their times
 */
public record Simulation(Pipeline pipeline, Costs costs, List<List<Span>> ranks) {
  private static final long NOT_YET = -1;

  /** Copies the lists. */
  public Simulation {
    ranks = ranks.stream().map(List::copyOf).toList();
  }

  /**
   * A turn with its times.
   *
   * @param turn what is done
   * @param start when it begins
   * @param end when it ends
   */
  public record Span(Turn turn, long start, long end) {}

  /**
   * Runs a pipeline.
   *
   * @throws IllegalStateException if its order never ends
   */
  public static Simulation of(Pipeline pipeline, Costs costs) {
    return new Run(pipeline, costs).run();
  }

  /** When the last turn ends. */
  public long makespan() {
    return ranks.stream().mapToLong(spans -> spans.get(spans.size() - 1).end()).max().orElse(0);
  }

  /** How long a rank does nothing before the makespan. */
  public long idle(int rank) {
    long busy = Sums.of(ranks.get(rank).stream().mapToLong(span -> span.end() - span.start()));
    return makespan() - busy;
  }

  /** The share of all ranks' time in which they do nothing. */
  public Share idleShare() {
    long idle = 0;
    for (int rank = 0; rank < ranks.size(); rank++) {
      idle = Math.addExact(idle, idle(rank));
    }
    return new Share(idle, Math.multiplyExact(makespan(), (long) ranks.size()));
  }

  private static final class Run {
    private final Pipeline pipeline;
    private final Costs costs;
    private final List<List<Turn>> turns = new ArrayList<>();
    private final List<List<Span>> spans = new ArrayList<>();

    /** By position and micro-batch: when its output, and the gradient of its input, is there. */
    private final long[][] outputs;

    private final long[][] gradients;

    Run(Pipeline pipeline, Costs costs) {
      this.pipeline = pipeline;
      this.costs = costs;
      this.outputs = notYet();
      this.gradients = notYet();
      for (int rank = 0; rank < pipeline.ranks(); rank++) {
        turns.add(pipeline.turns(rank));
        spans.add(new ArrayList<>());
      }
    }

    private long[][] notYet() {
      long[][] times = new long[pipeline.positions()][pipeline.microBatches()];
      for (long[] row : times) {
        Arrays.fill(row, NOT_YET);
      }
      return times;
    }

    Simulation run() {
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int rank = 0; rank < pipeline.ranks(); rank++) {
          while (step(rank)) {
            moved = true;
          }
        }
      }
      for (int rank = 0; rank < pipeline.ranks(); rank++) {
        if (spans.get(rank).size() < turns.get(rank).size()) {
          throw new IllegalStateException("rank " + rank + " waits for ever in " + pipeline);
        }
      }
      return new Simulation(pipeline, costs, spans);
    }

    private boolean step(int rank) {
      List<Span> done = spans.get(rank);
      if (done.size() == turns.get(rank).size()) {
        return false;
      }
      Turn turn = turns.get(rank).get(done.size());
      long start = done.isEmpty() ? 0 : done.get(done.size() - 1).end();
      for (Slot slot : turn.slots()) {
        long ready = ready(rank, slot);
        if (ready == NOT_YET) {
          return false;
        }
        start = Math.max(start, ready);
      }
      long end = Math.addExact(start, costs.of(turn));
      done.add(new Span(turn, start, end));
      for (Slot slot : turn.slots()) {
        int position = pipeline.position(rank, slot.chunk());
        if (slot.pass() == Pass.FORWARD) {
          outputs[position][slot.microBatch()] = end;
        } else if (slot.pass().isBackward()) {
          gradients[position][slot.microBatch()] = end;
        }
      }
      return true;
    }

    private long ready(int rank, Slot slot) {
      int position = pipeline.position(rank, slot.chunk());
      int microBatch = slot.microBatch();
      return switch (slot.pass()) {
        case FORWARD -> position == 0 ? 0 : outputs[position - 1][microBatch];
        case BACKWARD, INPUT_GRADIENTS -> {
          long own = outputs[position][microBatch];
          boolean last = position == pipeline.positions() - 1;
          long behind = last ? 0 : gradients[position + 1][microBatch];
          yield own == NOT_YET || behind == NOT_YET ? NOT_YET : Math.max(own, behind);
        }
        case WEIGHT_GRADIENTS -> gradients[position][microBatch];
      };
    }
  }
}
