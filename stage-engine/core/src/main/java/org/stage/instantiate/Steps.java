package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import org.stage.instantiate.Program.Instruction;

/**
 * What adds a pass to a graph, bit by bit, so that two passes can be added by turns: one after the
 * other they change at communications, so that one computes while the other communicates.
 */
final class Steps {
  private final List<Runnable> steps = new ArrayList<>();

  /** By communication: the step behind it. */
  private final List<Integer> ends = new ArrayList<>();

  private int done;

  void add(Runnable step) {
    steps.add(step);
  }

  /** Adds a step that adds an instruction. */
  void add(Instruction instruction, Runnable step) {
    if (!(instruction instanceof Instruction.Kernel)) {
      addCommunication(step);
    } else {
      add(step);
    }
  }

  /** Adds a step that adds a collective or a send. */
  void addCommunication(Runnable step) {
    steps.add(step);
    ends.add(steps.size());
  }

  /** Runs two passes, each as a stream of its own. */
  static void run(Steps first, Steps second, GraphWriter graph) {
    int ofFirst = 0;
    int ofSecond = 0;
    while (!first.isDone() || !second.isDone()) {
      // The one that has communicated less of its share goes on.
      long behind = (long) ofFirst * (second.ends.size() + 1);
      long before = (long) ofSecond * (first.ends.size() + 1);
      if (second.isDone() || (!first.isDone() && behind <= before)) {
        graph.stream(0);
        first.runTo(ofFirst++);
      } else {
        graph.stream(1);
        second.runTo(ofSecond++);
      }
    }
    graph.stream(0);
  }

  /** Runs all. */
  void run() {
    runTo(ends.size());
  }

  /** Runs up to the communication with this number, or to the end. */
  private void runTo(int communication) {
    int end = communication < ends.size() ? ends.get(communication) : steps.size();
    while (done < end) {
      steps.get(done).run();
      done++;
    }
  }

  private boolean isDone() {
    return done == steps.size();
  }
}
