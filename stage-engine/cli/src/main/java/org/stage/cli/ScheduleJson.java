package org.stage.cli;

import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.stage.app.Json;
import org.stage.app.ScheduleView;
import org.stage.schedule.Costs;
import org.stage.schedule.InFlight;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Share;
import org.stage.schedule.Simulation;
import org.stage.schedule.Slot;

/** A pipeline schedule in the form that scripts read; {@code docs/schedules.md} promises it. */
final class ScheduleJson {
  private ScheduleJson() {}

  static Map<String, @Nullable Object> of(ScheduleView view) {
    Pipeline pipeline = view.pipeline();
    Simulation simulation = view.simulation();
    Costs costs = simulation.costs();
    return Json.object(
        "schedule", view.name(),
        "ranks", pipeline.ranks(),
        "virtual_stages", pipeline.virtualStages(),
        "micro_batches", pipeline.microBatches(),
        "costs", costs(costs),
        "makespan", simulation.makespan(),
        "idle_share", share(simulation.idleShare()),
        "idle_share_by_formula",
            view.form().map(form -> share(form.share(pipeline, costs))).orElse(null),
        "formula", view.form().map(form -> form.text()).orElse(null),
        "source", view.form().map(form -> form.source()).orElse(null),
        "by_rank",
            IntStream.range(0, pipeline.ranks()).mapToObj(rank -> ofRank(view, rank)).toList());
  }

  private static Map<String, Object> costs(Costs costs) {
    return Json.object(
        "forward", costs.forward(),
        "backward", costs.backward(),
        "weight_gradients", costs.weightGradients());
  }

  private static Map<String, Object> share(Share share) {
    return Json.object(
        "part", share.part(),
        "whole", share.whole());
  }

  private static Map<String, Object> ofRank(ScheduleView view, int rank) {
    Simulation simulation = view.simulation();
    InFlight flight = view.inFlight(rank);
    return Json.object(
        "rank", rank,
        "idle", simulation.idle(rank),
        "in_flight", flight.whole(),
        "in_flight_for_weights", flight.weights(),
        "turns", simulation.ranks().get(rank).stream().map(ScheduleJson::turn).toList());
  }

  private static Map<String, Object> turn(Simulation.Span span) {
    return Json.object(
        "start", span.start(),
        "end", span.end(),
        "passes", span.turn().slots().stream().map(ScheduleJson::pass).toList());
  }

  private static Map<String, Object> pass(Slot slot) {
    return Json.object(
        "pass", text(slot.pass()),
        "chunk", slot.chunk(),
        "micro_batch", slot.microBatch());
  }

  private static String text(Pass pass) {
    return switch (pass) {
      case FORWARD -> "forward";
      case BACKWARD -> "backward";
      case INPUT_GRADIENTS -> "input-gradients";
      case WEIGHT_GRADIENTS -> "weight-gradients";
    };
  }
}
