package org.stage.emit;

import java.util.List;
import java.util.function.Consumer;
import org.stage.plan.UnitAction;

/**
 * A pass of a micro-batch while its actions are added to a graph, some at a time, so that two
 * passes can be added by turns: one after the other they change at communications, so that one
 * computes while the other communicates.
 */
final class PassRun {
  private final List<UnitAction> actions;
  private final Consumer<UnitAction> add;
  private final long communications;
  private int done;
  private long communicated;

  PassRun(List<UnitAction> actions, Consumer<UnitAction> add) {
    this.actions = actions;
    this.add = add;
    this.communications = actions.stream().filter(UnitAction::communicates).count();
  }

  /** Adds two passes, each as a stream of its own. */
  static void overlap(PassRun first, PassRun second, GraphWriter graph) {
    while (!first.isDone() || !second.isDone()) {
      // The one that has communicated less of its share goes on.
      long behind = first.communicated * (second.communications + 1);
      long before = second.communicated * (first.communications + 1);
      if (second.isDone() || (!first.isDone() && behind <= before)) {
        graph.stream(0);
        first.toNextCommunication();
      } else {
        graph.stream(1);
        second.toNextCommunication();
      }
    }
    graph.stream(0);
  }

  /** Adds all. */
  void all() {
    while (!isDone()) {
      toNextCommunication();
    }
  }

  private void toNextCommunication() {
    communicated++;
    boolean more = true;
    while (more && !isDone()) {
      UnitAction next = actions.get(done++);
      add.accept(next);
      more = !next.communicates();
    }
  }

  private boolean isDone() {
    return done == actions.size();
  }
}
