package org.stage.backend.simai;

import java.util.Optional;
import java.util.Set;
import org.stage.api.workload.PipelineSchedule;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * How long SimAI takes a pipeline to stand idle: {@code (pp - 1) / (ga vpp)} of what the rows of a
 * stage take. That is the idle time of the schedules that fill and drain once, and of interleaved
 * ones, where {@code vpp} is their virtual stages; the format has no word for others.
 */
final class Bubble {
  private static final Set<String> SAID = Set.of("1f1b", "gpipe", "interleaved");

  private final Optional<PipelineSchedule> schedule;
  private final int asked;

  private Bubble(Optional<PipelineSchedule> schedule, int asked) {
    this.schedule = schedule;
    this.asked = asked;
  }

  static Bubble of(Workload workload, Settings settings) {
    Optional<PipelineSchedule> schedule =
        workload.classes().stream().findFirst().flatMap(RankClass::schedule);
    return new Bubble(schedule, settings.vpp());
  }

  /** The chunks of a stage, for the header. */
  int chunks() {
    return asked > 0 ? asked : schedule.map(PipelineSchedule::virtualStages).orElse(1);
  }

  /** Declares what the header does not say of the schedule of a pipeline. */
  void declare(Losses losses) {
    String divided = "the file has the bubble of 1F1B with " + chunks() + " chunks a stage (vpp)";
    if (schedule.isEmpty()) {
      losses.add(
          Loss.note(
              "the schedule of the pipeline is not known: " + divided,
              "For an interleaved schedule set the option vpp to its virtual stages."));
      return;
    }
    String name = schedule.get().name();
    if (!SAID.contains(name)) {
      losses.add(
          Loss.warning(
              "the schedule " + name + " is not in the file: " + divided,
              "SimAI knows no other: what 'stage inspect --schedule' shows as idle is right."));
    } else if (chunks() != schedule.get().virtualStages()) {
      losses.add(
          Loss.note(
              "the schedule "
                  + name
                  + " has vpp "
                  + schedule.get().virtualStages()
                  + ": "
                  + divided
                  + ", as the option vpp asked for",
              "Leave the option out, and the file has the bubble of the schedule."));
    }
  }
}
