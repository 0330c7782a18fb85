package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.stage.analyze.Memory;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.MemoryTimeline.Moment;
import org.stage.app.Json;

/**
 * Memory over a step in the forms that scripts read; {@code docs/command-line.md} promises them.
 */
final class MemoryExport {
  private MemoryExport() {}

  static Map<String, Object> json(List<MemoryTimeline> timelines) {
    return Json.object("classes", timelines.stream().map(MemoryExport::json).toList());
  }

  private static Map<String, Object> json(MemoryTimeline timeline) {
    return Json.object(
        "stage", timeline.stage(),
        "ranks", timeline.ranks().toString(),
        "peak", json(timeline.peak()),
        "moments", timeline.moments().stream().map(MemoryExport::json).toList());
  }

  private static Map<String, Object> json(Moment moment) {
    Memory memory = moment.memory();
    return Json.object(
        "turn", moment.turn(),
        "passes", moment.passes(),
        "modules", moment.modules(),
        "bytes", memory.peak(),
        "parameters_bytes", memory.parameters(),
        "gradients_bytes", memory.gradients(),
        "optimizer_bytes", memory.optimizer(),
        "activations_bytes", memory.activations(),
        "workspace_bytes", memory.workspace(),
        "kept_bytes", moment.kept());
  }

  static void csv(PrintWriter out, List<MemoryTimeline> timelines) {
    out.println(
        "stage,ranks,turn,passes,modules,bytes,parameters_bytes,gradients_bytes,optimizer_bytes,"
            + "activations_bytes,workspace_bytes,kept_bytes");
    for (MemoryTimeline timeline : timelines) {
      for (Moment moment : timeline.moments()) {
        List<String> cells = new ArrayList<>();
        cells.add("" + timeline.stage());
        cells.add("\"" + timeline.ranks() + "\"");
        json(moment)
            .values()
            .forEach(
                value ->
                    cells.add(
                        value instanceof List<?> names
                            ? String.join("&", names.stream().map(String::valueOf).toList())
                            : value.toString()));
        out.println(String.join(",", cells));
      }
    }
  }
}
