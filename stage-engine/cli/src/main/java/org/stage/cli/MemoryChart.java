package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.stage.analyze.Memory;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.MemoryTimeline.Moment;

/** Memory over a step as a drawing: a bar for each turn, or for as many turns as fit a line. */
final class MemoryChart {
  private static final int WIDTH = 60;
  private static final int LINES = 32;

  private final MemoryTimeline timeline;
  private final Moment peak;

  private MemoryChart(MemoryTimeline timeline) {
    this.timeline = timeline;
    this.peak = timeline.peak();
  }

  static void print(PrintWriter out, List<MemoryTimeline> timelines) {
    out.println(
        "Memory over a step, per rank: = parameters, gradients, optimizer; + workspace; #"
            + " activations");
    for (MemoryTimeline timeline : timelines) {
      out.println();
      new MemoryChart(timeline).print(out);
    }
  }

  private void print(PrintWriter out) {
    Memory memory = peak.memory();
    out.println("ranks " + timeline.ranks() + ", stage " + timeline.stage());
    out.printf(
        "peak %s in turn %d, %s, %s: parameters %s, gradients %s, optimizer %s, activations %s,"
            + " workspace %s%n",
        Units.bytes(memory.peak()),
        peak.turn(),
        peak.passes(),
        String.join(" and ", peak.modules()),
        Units.bytes(memory.parameters()),
        Units.bytes(memory.gradients()),
        Units.bytes(memory.optimizer()),
        Units.bytes(memory.activations()),
        Units.bytes(memory.workspace()));
    Table table = new Table(">turn", "passes", "", ">most");
    for (List<Moment> line : lines()) {
      Moment first = line.get(0);
      Moment last = line.get(line.size() - 1);
      Moment most = new MemoryTimeline(0, timeline.ranks(), line).peak();
      boolean one = first.turn() == last.turn();
      table.row(
          one ? "" + first.turn() : first.turn() + "-" + last.turn(),
          one ? first.passes() : first.passes() + " .. " + last.passes(),
          bar(most.memory()),
          Units.bytes(most.memory().peak()) + (most.equals(peak) ? " < peak" : "       "));
    }
    table.print(out);
  }

  /** Moments of one turn, or of several that share a line. */
  private List<List<Moment>> lines() {
    List<Moment> moments = timeline.moments();
    int turns = moments.get(moments.size() - 1).turn() + 1;
    int each = (turns + LINES - 1) / LINES;
    List<List<Moment>> lines = new ArrayList<>();
    for (Moment moment : moments) {
      int line = moment.turn() / each;
      if (line == lines.size()) {
        lines.add(new ArrayList<>());
      }
      lines.get(line).add(moment);
    }
    return lines;
  }

  private String bar(Memory memory) {
    long states = memory.parameters() + memory.gradients() + memory.optimizer();
    int first = columns(states);
    int second = columns(states + memory.workspace());
    int third = columns(memory.peak());
    return "=".repeat(first) + "+".repeat(second - first) + "#".repeat(third - second);
  }

  private int columns(long bytes) {
    return (int) Math.round((double) bytes * WIDTH / Math.max(1, peak.memory().peak()));
  }
}
