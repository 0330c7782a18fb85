package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.stage.backend.simai.format.Comm;
import org.stage.backend.simai.format.Pass;
import org.stage.backend.simai.format.Row;

/**
 * The rows of the step as a whole, under AICB's names and in its order. They stand first, so that
 * SimAI, which goes back to front in backward, comes to them when all gradients are there.
 */
final class StepRows {
  private final List<Row> gathers = new ArrayList<>();
  private final List<Row> reductions = new ArrayList<>();
  private final List<Row> replicas = new ArrayList<>();
  private final List<Row> experts = new ArrayList<>();
  private double optimizer;

  void compute(double nanoseconds) {
    optimizer += nanoseconds;
  }

  /** Adds what a group sends; {@code exact} if it is one of SimAI's. */
  void communicate(Comm comm, boolean data, boolean exact, Losses losses) {
    if (data) {
      boolean gathers = comm.kind() == Comm.Kind.ALLGATHER;
      boolean ofExperts = comm.scope() == Comm.Scope.EXPERT_DATA;
      (ofExperts ? experts : gathers ? this.gathers : reductions).add(data(comm));
      return;
    }
    String name = exact ? "layernorm" : "replica_grads";
    for (Comm part : Limits.tensorComms(comm, losses)) {
      replicas.add(new Row(name, Pass.NONE, new Pass(0, part), Pass.NONE));
    }
  }

  /** A row for what the data-parallel group sends: only this column binds to it. */
  static Row data(Comm comm) {
    boolean gathers = comm.kind() == Comm.Kind.ALLGATHER;
    String name =
        comm.scope() == Comm.Scope.EXPERT_DATA
            ? (gathers ? "moe_grad_norm1" : "moe_grad_norm2")
            : (gathers ? "grad_gather" : "grad_param_comm");
    return new Row(name, Pass.NONE, Pass.NONE, new Pass(0, comm));
  }

  List<Row> rows(Columns columns) {
    List<Row> updates =
        optimizer == 0
            ? List.of()
            : Limits.times(columns.inputGrad().next(optimizer), columns.losses()).stream()
                .map(StepRows::update)
                .toList();
    return Stream.of(
            reversed(gathers), reversed(reductions), updates, reversed(replicas), reversed(experts))
        .flatMap(List::stream)
        .toList();
  }

  private static Row update(long nanoseconds) {
    return new Row("grad_param_compute", Pass.NONE, new Pass(nanoseconds, Comm.NONE), Pass.NONE);
  }

  private static List<Row> reversed(List<Row> rows) {
    List<Row> reversed = new ArrayList<>(rows);
    Collections.reverse(reversed);
    return reversed;
  }
}
