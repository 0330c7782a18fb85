package org.stage.backend.timeline.sim;

/**
 * How busy one rank is, picoseconds.
 *
 * @param compute how long kernels run
 * @param communication how long collectives and sends run
 * @param overlapped how long both do at once
 */
public record Busy(long compute, long communication, long overlapped) {
  /** Measures a rank. */
  public static Busy of(Program program, Times times) {
    long compute = 0;
    long communication = 0;
    long overlapped = 0;
    int kernel = 0;
    for (int node = 0; node < program.nodes(); node++) {
      long duration = times.end(node) - times.start(node);
      if (program.isCompute(node)) {
        compute += duration;
      } else if (!program.isRecv(node)) {
        communication += duration;
        // both streams are in order of time, so the kernels before this one need no second look
        kernel = firstEndingAfter(times.start(node), kernel, program, times);
        overlapped += overlap(node, kernel, program, times);
      }
    }
    return new Busy(compute, communication, overlapped);
  }

  private static int firstEndingAfter(long time, int from, Program program, Times times) {
    int kernel = from;
    while (kernel < program.nodes() && !(program.isCompute(kernel) && times.end(kernel) > time)) {
      kernel++;
    }
    return kernel;
  }

  private static long overlap(int node, int from, Program program, Times times) {
    long sum = 0;
    for (int kernel = from; kernel < program.nodes(); kernel++) {
      if (program.isCompute(kernel)) {
        if (times.start(kernel) >= times.end(node)) {
          break;
        }
        sum +=
            Math.min(times.end(node), times.end(kernel))
                - Math.max(times.start(node), times.start(kernel));
      }
    }
    return sum;
  }
}
