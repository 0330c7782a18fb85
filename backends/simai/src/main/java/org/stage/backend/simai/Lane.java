package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.List;
import org.stage.backend.simai.format.Comm;
import org.stage.backend.simai.format.Pass;

/**
 * What a block of a layer does in one direction, cut behind each collective: an entry of a row
 * computes first and communicates then.
 */
final class Lane {
  private final List<Segment> segments = new ArrayList<>();
  private double main;
  private double weight;

  /** Computing of two columns, and what follows it. */
  private record Segment(double main, double weight, Comm comm) {}

  /**
   * Two entries of a row.
   *
   * @param main of the forward or the input-gradient column
   * @param weight of the weight-gradient column
   */
  record Cell(Pass main, Pass weight) {
    static final Cell NONE = new Cell(Pass.NONE, Pass.NONE);
  }

  /** Adds computing, nanoseconds: for the lane's own column, and for gradients of parameters. */
  void compute(double ownNanoseconds, double weightNanoseconds) {
    main += ownNanoseconds;
    weight += weightNanoseconds;
  }

  void communicate(Comm comm) {
    segments.add(new Segment(main, weight, comm));
    main = 0;
    weight = 0;
  }

  /** Joins what follows the last collective to what precedes it: nothing overlaps in SimAI. */
  private List<Segment> closed() {
    List<Segment> closed = new ArrayList<>(segments);
    if (main > 0 || weight > 0) {
      int last = closed.size() - 1;
      Segment before = last < 0 ? new Segment(0, 0, Comm.NONE) : closed.remove(last);
      closed.add(new Segment(before.main + main, before.weight + weight, before.comm));
    }
    return closed;
  }

  /** The entries in the order of execution; those beyond SimAI's limits become several. */
  List<Cell> cells(Times.Rounding own, Times.Rounding weights, Losses losses) {
    List<Cell> cells = new ArrayList<>();
    for (Segment segment : closed()) {
      List<Long> mains = Limits.times(own.next(segment.main), losses);
      List<Long> grads = Limits.times(weights.next(segment.weight), losses);
      List<Comm> comms = Limits.tensorComms(segment.comm, losses);
      // The collective's parts follow the last part of the computing.
      int lead = Math.max(mains.size(), grads.size()) - 1;
      for (int i = 0; i < lead + comms.size(); i++) {
        Comm comm = i < lead ? Comm.NONE : comms.get(i - lead);
        cells.add(new Cell(new Pass(at(mains, i), comm), new Pass(at(grads, i), Comm.NONE)));
      }
    }
    return cells;
  }

  private static long at(List<Long> parts, int index) {
    return index < parts.size() ? parts.get(index) : 0;
  }
}
