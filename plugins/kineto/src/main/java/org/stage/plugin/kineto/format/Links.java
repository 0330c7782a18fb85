package org.stage.plugin.kineto.format;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which operator launched what. A kernel is linked to its launch by their correlation, and the
 * launch to the innermost operator on its thread in whose time it lies; the {@code External id} of
 * kernels is never looked at, since for years it was a copy of the correlation.
 */
public final class Links {
  /** No launch, or no operator. */
  public static final int NONE = -1;

  private final Trace trace;

  /** The operator or annotation around each one. */
  private final int[] parents;

  /** The operator or annotation around each launch. */
  private final int[] launchers;

  private final int[] launchesByCorrelation;

  private Links(Trace trace) {
    this.trace = trace;
    int ops = trace.opStart.size();
    int launches = trace.launchTime.size();
    parents = new int[ops];
    launchers = new int[launches];
    nest(Order.of(ops, this::compareOps), Order.of(launches, this::compareLaunches));
    launchesByCorrelation = Order.of(launches, this::compareCorrelations);
  }

  /** Links the events of {@code trace}. */
  public static Links of(Trace trace) {
    return new Links(trace);
  }

  /** Of two that begin together the longer is outside. */
  private int compareOps(int a, int b) {
    int byLane = Integer.compare(trace.opLane.get(a), trace.opLane.get(b));
    if (byLane != 0) {
      return byLane;
    }
    int byStart = Long.compare(trace.opStart.get(a), trace.opStart.get(b));
    return byStart != 0 ? byStart : Long.compare(trace.opDuration.get(b), trace.opDuration.get(a));
  }

  private int compareLaunches(int a, int b) {
    int byLane = Integer.compare(trace.launchLane.get(a), trace.launchLane.get(b));
    return byLane != 0 ? byLane : Long.compare(trace.launchTime.get(a), trace.launchTime.get(b));
  }

  private int compareCorrelations(int a, int b) {
    int byCorrelation =
        Long.compare(trace.launchCorrelation.get(a), trace.launchCorrelation.get(b));
    return byCorrelation != 0
        ? byCorrelation
        : Long.compare(trace.launchTime.get(a), trace.launchTime.get(b));
  }

  /** One sweep over each thread with the operators that are open as a stack. */
  private void nest(int[] ops, int[] launches) {
    int[] stack = new int[64];
    int depth = 0;
    int lane = NONE;
    int launch = 0;
    for (int i = 0; i <= ops.length; i++) {
      boolean last = i == ops.length;
      int op = last ? NONE : ops[i];
      while (launch < launches.length && (last || isBefore(launches[launch], op))) {
        int row = launches[launch++];
        if (trace.launchLane.get(row) != lane) {
          depth = 0;
          lane = trace.launchLane.get(row);
        }
        depth = close(stack, depth, trace.launchTime.get(row));
        launchers[row] = depth == 0 ? NONE : stack[depth - 1];
      }
      if (last) {
        return;
      }
      if (trace.opLane.get(op) != lane) {
        depth = 0;
        lane = trace.opLane.get(op);
      }
      depth = close(stack, depth, trace.opStart.get(op));
      // times may be whole microseconds: one that begins where another ends comes after it
      while (depth > 0
          && end(stack[depth - 1]) == trace.opStart.get(op)
          && end(op) > trace.opStart.get(op)) {
        depth--;
      }
      parents[op] = depth == 0 ? NONE : stack[depth - 1];
      if (depth == stack.length) {
        stack = Arrays.copyOf(stack, depth * 2);
      }
      stack[depth++] = op;
    }
  }

  private boolean isBefore(int launch, int op) {
    int lane = trace.launchLane.get(launch);
    int opLane = trace.opLane.get(op);
    return lane < opLane
        || (lane == opLane && trace.launchTime.get(launch) < trace.opStart.get(op));
  }

  /** Takes off the stack what is over at {@code time}. */
  private int close(int[] stack, int depth, long time) {
    int open = depth;
    while (open > 0 && end(stack[open - 1]) < time) {
      open--;
    }
    return open;
  }

  private long end(int op) {
    return trace.opStart.get(op) + trace.opDuration.get(op);
  }

  /** The launch of event {@code device}; {@link #NONE} if there is no record of it. */
  public int launch(int device) {
    long correlation = trace.deviceCorrelation.get(device);
    return correlation == 0 ? NONE : launch(correlation, trace.deviceStart.get(device));
  }

  private int launch(long correlation, long start) {
    int low = 0;
    int high = launchesByCorrelation.length;
    // the last with this correlation that is not after the kernel; correlations may come again
    while (low < high) {
      int middle = (low + high) >>> 1;
      int row = launchesByCorrelation[middle];
      long other = trace.launchCorrelation.get(row);
      if (other < correlation || (other == correlation && trace.launchTime.get(row) <= start)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > 0 && has(low - 1, correlation)) {
      return launchesByCorrelation[low - 1];
    }
    return low < launchesByCorrelation.length && has(low, correlation)
        ? launchesByCorrelation[low]
        : NONE;
  }

  private boolean has(int index, long correlation) {
    return trace.launchCorrelation.get(launchesByCorrelation[index]) == correlation;
  }

  /** Operators around launches whose kernels have no time that can be used, and all around them. */
  public BitSet rejected() {
    BitSet ops = new BitSet();
    for (int i = 0; i < trace.rejectedCorrelation.size(); i++) {
      long correlation = trace.rejectedCorrelation.get(i);
      int launch = correlation == 0 ? NONE : launch(correlation, Long.MAX_VALUE);
      for (int op = launch == NONE ? NONE : launchers[launch]; op != NONE; op = parents[op]) {
        ops.set(op);
      }
    }
    return ops;
  }

  /** When {@code launch} was called. */
  public long launchTime(int launch) {
    return trace.launchTime.get(launch);
  }

  /** The operator, annotation or module around {@code launch}; {@link #NONE} if there is none. */
  public int around(int launch) {
    return launchers[launch];
  }

  /** The operator, annotation or module around {@code op}; {@link #NONE} if there is none. */
  public int parent(int op) {
    return parents[op];
  }

  /** The innermost operator around {@code launch}; {@link #NONE} if there is none. */
  public int owner(int launch) {
    int op = launchers[launch];
    while (op != NONE && trace.opCategory(op) != Category.OPERATOR) {
      op = parents[op];
    }
    return op;
  }
}
