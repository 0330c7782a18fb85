package org.stage.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The order of DualPipe (DeepSeek-V3 report, arXiv 2412.19437, and what DeepSeek published with
 * it): micro-batches enter the pipeline at both ends. A rank and its mirror image do the same at
 * the same time, in opposite directions, so that the order is told by the near direction, whose
 * first position is on the rank's own half, and the far one.
 */
final class DualPipeOrder {
  private final Pipeline pipeline;
  private final int near;
  private final List<Turn> turns = new ArrayList<>();

  /** Passes for gradients of weights that are left behind. */
  private final Deque<Slot> left = new ArrayDeque<>();

  /** By chunk: passes so far. */
  private final int[] forwards = new int[2];

  private final int[] backwards = new int[2];

  private DualPipeOrder(Pipeline pipeline, int rank) {
    this.pipeline = pipeline;
    this.near = rank < pipeline.ranks() / 2 ? 0 : 1;
  }

  static List<Turn> turns(Pipeline pipeline, int rank) {
    return new DualPipeOrder(pipeline, rank).run(Math.min(rank, pipeline.ranks() - 1 - rank));
  }

  /** The eight steps, {@code depth} being the distance from the nearer end of the pipeline. */
  private List<Turn> run(int depth) {
    int far = 1 - near;
    int inner = pipeline.ranks() / 2 - 1 - depth;
    for (int i = 0; i < 2 * inner; i++) {
      add(forward(near));
    }
    for (int i = 0; i <= depth; i++) {
      add(forward(near));
      add(forward(far));
    }
    for (int i = 0; i < inner; i++) {
      add(split(far));
      weights();
      add(forward(far));
    }
    int both = pipeline.microBatchesOfChunk() - pipeline.ranks() + depth + 1;
    for (int i = 0; i < both; i++) {
      if (i == 0 && inner == 0) {
        // The two in the middle do not overlap their first pair: its backward pass would wait.
        add(forward(near));
        add(backward(far));
      } else {
        add(forward(near), backward(far));
      }
      add(forward(far), backward(near));
    }
    for (int i = 0; i < inner; i++) {
      add(backward(far));
      add(forward(far), backward(near));
    }
    // Towards the end what only gradients of weights need is left behind, to fill gaps.
    for (int pass = 0; pass < 2 * (depth + 1); pass++) {
      int chunk = pass % 2 == 0 ? far : near;
      add(pass > depth ? split(chunk) : backward(chunk));
    }
    for (int i = 0; i < inner; i++) {
      weights();
      add(split(near));
    }
    while (!left.isEmpty()) {
      weights();
    }
    return List.copyOf(turns);
  }

  private void add(Slot... slots) {
    turns.add(new Turn(List.of(slots)));
  }

  private void weights() {
    add(left.remove());
  }

  private Slot forward(int chunk) {
    return new Slot(Pass.FORWARD, chunk, pipeline.firstMicroBatch(chunk) + forwards[chunk]++);
  }

  private Slot backward(int chunk) {
    return new Slot(Pass.BACKWARD, chunk, pipeline.firstMicroBatch(chunk) + backwards[chunk]++);
  }

  private Slot split(int chunk) {
    int microBatch = backward(chunk).microBatch();
    left.add(new Slot(Pass.WEIGHT_GRADIENTS, chunk, microBatch));
    return new Slot(Pass.INPUT_GRADIENTS, chunk, microBatch);
  }
}
