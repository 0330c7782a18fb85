package org.stage.workloadfile;

import org.stage.api.workload.Mesh;
import org.stage.job.Model;
import org.stage.job.Nearest;
import org.stage.schedule.Schedule;
import org.stage.schedule.Unmet;

/** Checks a pipeline schedule against mesh, model and micro-batches. */
final class ScheduleCheck {
  private static final String SCHEDULE = "training.schedule";
  private static final String CHUNKS = "training.virtual_stages";
  private static final String BATCH = "training.global_batch";

  private final Values values;
  private final Model model;
  private final Mesh mesh;

  ScheduleCheck(Values values, Model model, Mesh mesh) {
    this.values = values;
    this.model = model;
    this.mesh = mesh;
  }

  /** The chunks of a rank; 1 unless the schedule has virtual stages. */
  int run(Schedule schedule, int microBatches) {
    int ranks = mesh.degree("pp");
    if (schedule.needsPipeline() && ranks == 1) {
      values.fault(
          SCHEDULE,
          schedule.name() + " needs a pipeline; mesh.pp is 1",
          "Raise mesh.pp, or take 1f1b.");
    }
    int chunks = chunks(schedule, ranks);
    if (ranks > 1) {
      schedule.unmet(ranks, microBatches).ifPresent(this::report);
    }
    return chunks;
  }

  private int chunks(Schedule schedule, int ranks) {
    int chunks = values.whole(CHUNKS);
    if (ranks > model.layers()) {
      return 1; // refused with the mesh
    }
    if (!schedule.hasVirtualStages()) {
      if (chunks > 1) {
        values.fault(
            CHUNKS,
            chunks + " needs training.schedule: interleaved; it is " + schedule.name(),
            "Set that, or remove this.");
      }
      return 1;
    }
    if (chunks == 1) {
      values.fault(
          values.has(CHUNKS) ? CHUNKS : SCHEDULE,
          schedule.name() + " needs training.virtual_stages of at least 2",
          "Set it, or take 1f1b.");
    } else if ((long) chunks * ranks > model.layers()) {
      int most = model.layers() / ranks;
      values.fault(
          CHUNKS,
          String.format(
              "%d x mesh.pp %d are more chunks than the %d layers of %s",
              chunks, ranks, model.layers(), model.name()),
          most > 1 ? "Largest possible: " + most + "." : "Take 1f1b, or lower mesh.pp.");
      return most;
    }
    return chunks;
  }

  private void report(Unmet unmet) {
    boolean ofRanks = unmet.quantity() == Unmet.Quantity.RANKS;
    long step = ofRanks ? 1 : samples();
    values.fault(
        ofRanks ? "mesh.pp" : BATCH,
        unmet.message(),
        Nearest.remedy(
            unmet.lead(),
            unmet.instead().stream()
                .map(n -> n * step)
                .filter(n -> n >= 1 && n <= Integer.MAX_VALUE)
                .toList()));
  }

  /** Sequences of the batch for each micro-batch more: what is set in the file. */
  private long samples() {
    return (long) values.whole("training.micro_batch") * mesh.degree("dp") * mesh.degree("ep");
  }
}
