package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.stage.analyze.Memory;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.MemoryTimeline.Moment;

/** Memory over a step as a drawing: a bar for each turn, and for each module of the peak's turn. */
final class MemoryChart {
  private static final int WIDTH = 60;
  private static final int LINES = 32;

  /** Turns after which a pipeline in its steady state repeats itself. */
  private static final int PERIOD = 2;

  private final MemoryTimeline timeline;
  private final Moment peak;

  private MemoryChart(MemoryTimeline timeline) {
    this.timeline = timeline;
    this.peak = timeline.peak();
  }

  /**
   * A line of a chart.
   *
   * @param from what its first moment is called
   * @param to what its last moment is called
   * @param what the passes or the modules at work
   * @param most its moment of most memory
   */
  private record Line(String from, String to, String what, Moment most) {
    static Line of(String label, String what, List<Moment> moments) {
      Moment most = moments.get(0);
      for (Moment moment : moments) {
        most = moment.memory().peak() > most.memory().peak() ? moment : most;
      }
      return new Line(label, label, what, most);
    }

    Line upTo(Line last) {
      Moment larger = last.most.memory().peak() > most.memory().peak() ? last.most : most;
      return new Line(from, last.to, what.split(" \\.\\. ")[0] + " .. " + last.what, larger);
    }

    String label() {
      return from.equals(to) ? from : from + "-" + to;
    }
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
    String at = "turn " + peak.turn() + ", " + peak.passes();
    out.println("ranks " + timeline.ranks() + ", stage " + timeline.stage());
    out.printf(
        "peak %s in %s, %s: parameters %s, gradients %s, optimizer %s, activations %s,"
            + " workspace %s%n",
        Units.bytes(memory.peak()),
        at,
        String.join(" and ", peak.modules()),
        Units.bytes(memory.parameters()),
        Units.bytes(memory.gradients()),
        Units.bytes(memory.optimizer()),
        Units.bytes(memory.activations()),
        Units.bytes(memory.workspace()));
    print(out, "turn", "passes", folded(turns()));
    out.println(at + ", module by module");
    print(out, "", "module", folded(modules()));
  }

  private void print(PrintWriter out, String label, String what, List<Line> lines) {
    Table table = new Table(">" + label, what, "", ">most");
    for (Line line : lines) {
      Memory most = line.most.memory();
      // Equal lines are told apart by their moment: only the first is the peak.
      String mark = line.most.equals(peak) ? " < peak" : "       ";
      table.row(line.label(), line.what, bar(most), Units.bytes(most.peak()) + mark);
    }
    table.print(out);
  }

  /** A line for each turn, without what only repeats. */
  private List<Line> turns() {
    List<List<Moment>> turns = new ArrayList<>();
    for (Moment moment : timeline.moments()) {
      if (moment.turn() == turns.size()) {
        turns.add(new ArrayList<>());
      }
      turns.get(turns.size() - 1).add(moment);
    }
    List<Line> all = new ArrayList<>();
    for (List<Moment> turn : turns) {
      Moment first = turn.get(0);
      all.add(Line.of("" + first.turn(), first.passes(), turn));
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      int repeated = repeated(all, i);
      lines.add(all.get(i));
      if (repeated > PERIOD) {
        lines.add(all.get(i + 1));
        Line next = all.get(i + PERIOD);
        Line last = all.get(i + PERIOD + repeated - 1);
        lines.add(new Line(next.from, last.to, "as the two before", next.most));
        i += PERIOD + repeated - 1;
      }
    }
    return lines;
  }

  /** How many lines from {@code at + PERIOD} on need as much as those one period before. */
  private static int repeated(List<Line> lines, int at) {
    int count = 0;
    while (at + PERIOD + count < lines.size()
        && lines
            .get(at + count)
            .most
            .memory()
            .equals(lines.get(at + PERIOD + count).most.memory())) {
      count++;
    }
    return count / PERIOD * PERIOD;
  }

  private List<Line> modules() {
    return timeline.moments().stream()
        .filter(moment -> moment.turn() == peak.turn())
        .map(moment -> Line.of("", String.join("&", moment.modules()), List.of(moment)))
        .toList();
  }

  /** As many lines as fit, several in one where there are more. */
  private static List<Line> folded(List<Line> lines) {
    int each = (lines.size() + LINES - 1) / LINES;
    List<Line> folded = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (i % each == 0) {
        folded.add(lines.get(i));
      } else {
        folded.set(folded.size() - 1, folded.get(folded.size() - 1).upTo(lines.get(i)));
      }
    }
    return folded;
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
