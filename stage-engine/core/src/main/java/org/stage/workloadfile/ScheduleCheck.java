package org.stage.workloadfile;

import java.util.List;
import org.stage.api.workload.Mesh;
import org.stage.job.Model;
import org.stage.job.Nearest;
import org.stage.job.PipelineParallelism.Schedule;

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

  /** The chunks of a rank; 1 unless the schedule is interleaved. */
  int run(Schedule schedule, int microBatches) {
    int ranks = mesh.degree("pp");
    boolean plain = schedule == Schedule.GPIPE || schedule == Schedule.ONE_F_ONE_B;
    if (!plain && ranks == 1) {
      values.fault(
          SCHEDULE,
          schedule.text() + " needs a pipeline; mesh.pp is 1",
          "Raise mesh.pp, or take 1f1b.");
    }
    int chunks = chunks(schedule, ranks);
    if (schedule == Schedule.INTERLEAVED && microBatches % ranks != 0) {
      values.fault(
          BATCH,
          String.format(
              "%d micro-batches are not a multiple of mesh.pp %d, as the interleaved schedule needs",
              microBatches, ranks),
          nearest(Nearest.multiples(microBatches, ranks, Integer.MAX_VALUE)));
    }
    if (schedule == Schedule.DUALPIPE && ranks > 1) {
      checkDualPipe(ranks, microBatches);
    }
    return chunks;
  }

  private int chunks(Schedule schedule, int ranks) {
    int chunks = values.whole(CHUNKS);
    if (ranks > model.layers()) {
      return 1; // refused with the mesh
    }
    if (schedule != Schedule.INTERLEAVED) {
      if (chunks > 1) {
        values.fault(
            CHUNKS,
            chunks + " needs training.schedule: interleaved; it is " + schedule.text(),
            "Set that, or remove this.");
      }
      return 1;
    }
    if (chunks == 1) {
      values.fault(
          values.has(CHUNKS) ? CHUNKS : SCHEDULE,
          "interleaved needs training.virtual_stages of at least 2",
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

  private void checkDualPipe(int ranks, int microBatches) {
    if (ranks % 2 != 0) {
      values.fault(
          "mesh.pp",
          ranks + " is odd; dualpipe mirrors one half of the ranks in the other",
          Nearest.remedy("Nearest that are even", List.of(ranks - 1L, ranks + 1L)));
    } else if (microBatches < 2 * ranks) {
      values.fault(
          BATCH,
          String.format(
              "%d micro-batches are fewer than 2 x mesh.pp %d, as dualpipe needs",
              microBatches, ranks),
          nearest(List.of(2L * ranks)));
    } else if (microBatches % 2 != 0) {
      values.fault(
          BATCH,
          microBatches + " micro-batches are odd; dualpipe sends half of them each way",
          nearest(List.of(microBatches - 1L, microBatches + 1L)));
    }
  }

  /** Numbers of micro-batches as what is set in the file. */
  private String nearest(List<Long> microBatches) {
    long step = (long) values.whole("training.micro_batch") * mesh.degree("dp") * mesh.degree("ep");
    return Nearest.remedy(
        "Nearest that fit",
        microBatches.stream().map(n -> n * step).filter(n -> n <= Integer.MAX_VALUE).toList());
  }
}
