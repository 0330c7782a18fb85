package org.stage.backend.simai;

import java.util.List;
import java.util.Locale;
import org.stage.api.workload.Workload;

/** Declares what the files as a whole do not say. */
final class Declaration {
  /** Stages within this of one another count as even. */
  private static final double EVEN = 0.01;

  private final Workload workload;
  private final Settings settings;
  private final Groups groups;

  Declaration(Workload workload, Settings settings, Groups groups) {
    this.workload = workload;
    this.settings = settings;
    this.groups = groups;
  }

  void declare(List<StageRows> all, List<StageRows> chosen, Losses losses) {
    if (settings.unitTimes()) {
      losses.add(
          Loss.warning(
              "compute times are 1 ns an entry, as the option compute_times asked for",
              "Only the times of communication mean something."));
    }
    if (groups.pipeline() > 1) {
      Bubble.of(workload, settings).declare(losses);
      stages(all, chosen, losses);
    }
    if (settings.foldsContext() && workload.mesh().degree("cp") > 1) {
      losses.add(
          Loss.warning(
              "context parallelism is counted into tensor parallelism of " + groups.tensor(),
              "Collectives over either alone are priced as over both."));
    }
    losses.add(
        Loss.note(
            "dependencies and overlap are not in the file: SimAI adds up all computing and all"
                + " communication",
            "Its options -tp_o, -dp_o and -ep_o take a share of the communication off."));
    chosen.forEach(stage -> losses.addAll(stage.losses()));
  }

  private void stages(List<StageRows> all, List<StageRows> chosen, Losses losses) {
    double least = all.stream().mapToDouble(s -> s.totals().nanoseconds()).min().orElse(0);
    double most = all.stream().mapToDouble(s -> s.totals().nanoseconds()).max().orElse(0);
    if (!settings.unitTimes() && most > least * (1 + EVEN)) {
      losses.add(
          Loss.note(
              String.format(
                  Locale.ROOT,
                  "stages are uneven (%.3f to %.3f ms of computing): SimAI takes all to be like the"
                      + " one in the file",
                  least / 1e6,
                  most / 1e6),
              "The heaviest gives an upper bound, the lightest a lower one."));
    }
    if (chosen.size() > 1) {
      losses.note(
          Loss.note(
              "each of " + chosen.size() + " files is a whole job with one stage's rows",
              "The step takes as long as the longest of their total times; do not add them up."));
    } else {
      losses.add(
          Loss.note(
              "the file has the rows of stage " + chosen.get(0).stage() + " of " + all.size(),
              "The option stage takes another, or all."));
    }
  }
}
