package org.stage.cli;

import java.util.List;
import java.util.stream.Stream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankSet;
import org.stage.engine.Places;
import org.stage.spec.WorkloadSpec;

/** Reads {@code --place}. */
final class PlaceOption {
  private static final String OPTION = "--place";

  private PlaceOption() {}

  /** The ranks of each job; without {@code text} one after the other. */
  static List<RankSet> read(String text, List<WorkloadSpec> jobs) {
    List<Integer> devices = jobs.stream().map(job -> job.mesh().devices()).toList();
    if (text.isEmpty()) {
      return Places.inOrder(devices);
    }
    List<RankSet> places = Stream.of(text.split(",", -1)).map(part -> ranks(part.strip())).toList();
    List<String> names = jobs.stream().map(WorkloadSpec::source).toList();
    return Places.check(OPTION, places, names, devices);
  }

  private static RankSet ranks(String text) {
    try {
      return RankSet.parse(text.replace('+', ','));
    } catch (IllegalArgumentException e) {
      throw new InputException(
          OPTION,
          "'" + text + "' is no range of ranks",
          "Give one for each job, such as 0-63,64-127; join ranges of one job by +.");
    }
  }
}
