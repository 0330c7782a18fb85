package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;

/**
 * When a rank's device communicates. Kernels that run beside it share multiprocessors and memory
 * with it and take longer; who simulates overlap with such durations counts it twice.
 */
final class Contention {
  /** Less of a run beside communication does not count. */
  private static final double SHARE = 0.1;

  private final long[] starts;
  private final long[] ends;

  private Contention(long[] starts, long[] ends) {
    this.starts = starts;
    this.ends = ends;
  }

  static Contention of(Profile profile) {
    List<long[]> spans = new ArrayList<>();
    for (MeasuredOperator operator : profile.operators()) {
      Runs runs = operator.runs();
      for (int i = 0; i < runs.size() && operator.kind().isCommunication(); i++) {
        spans.add(new long[] {runs.startNs(i), runs.startNs(i) + runs.durationNs(i)});
      }
    }
    spans.sort(Comparator.comparingLong(span -> span[0]));
    List<long[]> joined = new ArrayList<>();
    for (long[] span : spans) {
      long[] last = joined.isEmpty() ? span : joined.get(joined.size() - 1);
      if (joined.isEmpty() || span[0] > last[1]) {
        joined.add(span.clone());
      } else {
        last[1] = Math.max(last[1], span[1]);
      }
    }
    return new Contention(
        joined.stream().mapToLong(span -> span[0]).toArray(),
        joined.stream().mapToLong(span -> span[1]).toArray());
  }

  /** Whether a run is slowed down, as its device communicates meanwhile. */
  boolean slows(Runs runs, int run) {
    long start = runs.startNs(run);
    long end = start + runs.durationNs(run);
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    double beside = 0;
    for (int i = low; i < starts.length && starts[i] < end; i++) {
      beside += (double) (Math.min(end, ends[i]) - Math.max(start, starts[i]));
    }
    return beside > SHARE * (end - start);
  }
}
