package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.stage.api.profile.ProfileStep;
import org.stage.api.profile.Runs;
import org.stage.plugin.kineto.format.Trace;

/** The steps that the profiler marks on the host. */
final class Steps {
  private final List<ProfileStep> steps = new ArrayList<>();
  private final long offset;

  Steps(Trace trace, Names names, long offset) {
    this.offset = offset;
    Set<Integer> marks = new HashSet<>();
    for (int name = 0; name < trace.names(); name++) {
      if (names.text(name).startsWith(OperatorNames.STEP)) {
        marks.add(name);
      }
    }
    Set<Integer> seen = new HashSet<>();
    for (int op = 0; op < trace.ops() && !marks.isEmpty(); op++) {
      int name = trace.opName(op);
      // a step may stand on several threads
      if (marks.contains(name) && seen.add(name)) {
        steps.add(
            new ProfileStep(names.text(name), trace.opStart(op) + offset, trace.opDuration(op)));
      }
    }
    steps.sort(Comparator.comparingLong(ProfileStep::startNs));
  }

  List<ProfileStep> all() {
    return steps;
  }

  /** The step in which {@code time} lies, by the clock of the trace. */
  int at(long time) {
    long when = time + offset;
    int low = 0;
    int high = steps.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps.get(middle).startNs() <= when) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return Runs.NO_STEP;
    }
    ProfileStep step = steps.get(low - 1);
    return when <= step.startNs() + step.durationNs() ? low - 1 : Runs.NO_STEP;
  }
}
