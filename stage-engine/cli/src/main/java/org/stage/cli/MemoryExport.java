package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.analyze.Memory;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.MemoryTimeline.Moment;

/**
 * Memory over a step in the forms that scripts read; {@code docs/command-line.md} promises them.
 */
final class MemoryExport {
  private MemoryExport() {}

  static Map<String, Object> json(List<MemoryTimeline> timelines) {
    List<Object> classes = new ArrayList<>();
    for (MemoryTimeline timeline : timelines) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("stage", timeline.stage());
      json.put("ranks", timeline.ranks().toString());
      json.put("peak", json(timeline.peak()));
      json.put("moments", timeline.moments().stream().map(MemoryExport::json).toList());
      classes.add(json);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("classes", classes);
    return json;
  }

  private static Map<String, Object> json(Moment moment) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("turn", moment.turn());
    json.put("passes", moment.passes());
    json.put("modules", moment.modules());
    Memory memory = moment.memory();
    json.put("bytes", memory.peak());
    json.put("parameters_bytes", memory.parameters());
    json.put("gradients_bytes", memory.gradients());
    json.put("optimizer_bytes", memory.optimizer());
    json.put("activations_bytes", memory.activations());
    json.put("workspace_bytes", memory.workspace());
    json.put("kept_bytes", moment.kept());
    return json;
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
