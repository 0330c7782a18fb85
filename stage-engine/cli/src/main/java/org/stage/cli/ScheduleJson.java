package org.stage.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("schedule", view.name());
    json.put("ranks", pipeline.ranks());
    json.put("virtual_stages", pipeline.virtualStages());
    json.put("micro_batches", pipeline.microBatches());
    json.put("costs", costs(costs));
    json.put("makespan", simulation.makespan());
    json.put("idle_share", share(simulation.idleShare()));
    json.put(
        "idle_share_by_formula",
        view.form().map(form -> share(form.share(pipeline, costs))).orElse(null));
    json.put("formula", view.form().map(form -> form.text()).orElse(null));
    json.put("source", view.form().map(form -> form.source()).orElse(null));
    json.put(
        "by_rank",
        IntStream.range(0, pipeline.ranks()).mapToObj(rank -> ofRank(view, rank)).toList());
    return json;
  }

  private static Map<String, Object> costs(Costs costs) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("forward", costs.forward());
    json.put("backward", costs.backward());
    json.put("weight_gradients", costs.weightGradients());
    return json;
  }

  private static Map<String, Object> share(Share share) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("part", share.part());
    json.put("whole", share.whole());
    return json;
  }

  private static Map<String, Object> ofRank(ScheduleView view, int rank) {
    Simulation simulation = view.simulation();
    InFlight flight = view.inFlight(rank);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rank", rank);
    json.put("idle", simulation.idle(rank));
    json.put("in_flight", flight.whole());
    json.put("in_flight_for_weights", flight.weights());
    json.put("turns", simulation.ranks().get(rank).stream().map(ScheduleJson::turn).toList());
    return json;
  }

  private static Map<String, Object> turn(Simulation.Span span) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("start", span.start());
    json.put("end", span.end());
    json.put("passes", span.turn().slots().stream().map(ScheduleJson::pass).toList());
    return json;
  }

  private static Map<String, Object> pass(Slot slot) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("pass", text(slot.pass()));
    json.put("chunk", slot.chunk());
    json.put("micro_batch", slot.microBatch());
    return json;
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
