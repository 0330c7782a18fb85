package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.List;
import org.stage.backend.simai.format.Comm;
import org.stage.backend.simai.format.Pass;

/** Splits what SimAI cannot take as one. */
final class Limits {
  private Limits() {}

  /** Nanoseconds as entries; at least one. */
  static List<Long> times(long nanoseconds, Losses losses) {
    if (nanoseconds > Pass.MAX_NANOSECONDS) {
      losses.split("compute times", "2^31 ns");
    }
    return parts(nanoseconds, Pass.MAX_NANOSECONDS);
  }

  /** A collective of the forward or the input-gradient column as entries; at least one. */
  static List<Comm> tensorComms(Comm comm, Losses losses) {
    boolean rated =
        comm.scope() == Comm.Scope.EXPERT
            ? comm.kind() == Comm.Kind.ALLTOALL
            : comm.kind() != Comm.Kind.ALLREDUCE;
    if (!rated || comm.bytes() <= Comm.MAX_RATED_BYTES) {
      return List.of(comm);
    }
    losses.split(comm.word(), "16 GiB");
    return parts(comm.bytes(), Comm.MAX_RATED_BYTES).stream().map(comm::withBytes).toList();
  }

  private static List<Long> parts(long whole, long most) {
    List<Long> parts = new ArrayList<>();
    long left = whole;
    for (; left > most; left -= most) {
      parts.add(most);
    }
    parts.add(left);
    return parts;
  }
}
