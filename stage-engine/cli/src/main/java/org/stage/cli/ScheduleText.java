package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.stage.app.ScheduleView;
import org.stage.schedule.InFlight;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Share;
import org.stage.schedule.Simulation;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;

/** A pipeline schedule as a drawing: a line for each rank, a column for each unit of time. */
final class ScheduleText {
  /** Characters that the columns of time may take, and ranks that have a line. */
  private static final int WIDTH = 150;

  private static final int RANKS = 32;

  private final ScheduleView view;
  private final Pipeline pipeline;

  /** Characters of a column. */
  private final int cell;

  private ScheduleText(ScheduleView view) {
    this.view = view;
    this.pipeline = view.pipeline();
    int digits = String.valueOf(pipeline.microBatches() - 1).length();
    this.cell = digits + (pipeline.chunks() > 1 ? 3 : 2);
  }

  static void print(PrintWriter out, ScheduleView view) {
    new ScheduleText(view).print(out);
  }

  private void print(PrintWriter out) {
    out.println("schedule           " + view.name());
    out.println("pipeline           " + sizes());
    view.form()
        .ifPresent(
            form ->
                out.println(
                    "idle by formula    "
                        + share(form.share(pipeline, view.simulation().costs()))
                        + ", "
                        + form.text()
                        + " = "
                        + form.idle()
                        + " units of every rank ("
                        + form.source()
                        + ")"));
    out.println("idle simulated     " + share(view.simulation().idleShare()));
    out.println("in flight          " + inFlight());
    out.println();
    out.println(legend());
    out.println();
    draw(out);
  }

  private String sizes() {
    int microBatches = pipeline.microBatches();
    return Units.counted(pipeline.ranks(), "rank")
        + ", "
        + Units.count(microBatches)
        + (microBatches == 1 ? " micro-batch" : " micro-batches")
        + (pipeline.virtualStages() > 1 ? ", " + pipeline.virtualStages() + " chunks a rank" : "")
        + (pipeline.hasCopies() ? ", two copies of the model" : "");
  }

  private static String share(Share share) {
    return String.format(Locale.ROOT, "%.2f %% (%s)", 100 * share.decimal(), share);
  }

  /** Micro-batches in flight, ranks with the same number together. */
  private String inFlight() {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int rank = 0; rank < pipeline.ranks(); rank++) {
      InFlight flight = view.inFlight(rank);
      boolean lastOfKind = rank == pipeline.ranks() - 1 || !view.inFlight(rank + 1).equals(flight);
      if (lastOfKind) {
        parts.add(flight(flight) + " on rank" + (from < rank ? "s " + from + "-" : " ") + rank);
        from = rank + 1;
      }
    }
    int shown = 8;
    String more = parts.size() > shown ? "; and so on" : "";
    return parts.stream().limit(shown).collect(Collectors.joining("; "))
        + more
        + (pipeline.chunks() > 1 ? ", each of a chunk" : "");
  }

  private static String flight(InFlight flight) {
    return flight.whole() + (flight.weights() > 0 ? " + " + flight.weights() + " for W" : "");
  }

  private String legend() {
    List<String> lines = new ArrayList<>();
    lines.add("A column is the time of a forward pass F; a backward pass B takes two.");
    boolean splits =
        pipeline.turns(0).stream()
            .flatMap(turn -> turn.slots().stream())
            .anyMatch(slot -> slot.pass() == Pass.INPUT_GRADIENTS);
    if (splits) {
      lines.add("B of one column: gradients of activations only; W: those of weights, later.");
    }
    if (pipeline.virtualStages() > 1) {
      lines.add("a, b, c, ...: the chunk of the rank.");
    }
    if (pipeline.overlaps()) {
      lines.add("a: from the first rank to the last, b: the other way. &: the two overlap.");
    }
    return String.join("\n", lines);
  }

  private void draw(PrintWriter out) {
    Simulation simulation = view.simulation();
    long columns = simulation.makespan();
    int most = Math.max(6, WIDTH / cell);
    int head = (int) Math.min(columns, most);
    int tail = 0;
    if (columns > most) {
      tail = most / 2;
      head = most - tail;
    }
    int name = String.valueOf(pipeline.ranks() - 1).length();
    for (int rank = 0; rank < pipeline.ranks(); rank++) {
      if (pipeline.ranks() > RANKS && rank == RANKS - 1) {
        int left = pipeline.ranks() - RANKS;
        out.println("... " + Units.counted(left, "rank") + " left out ...");
        rank = pipeline.ranks() - 1;
      }
      String line = line(simulation.ranks().get(rank), 0, head);
      if (tail > 0) {
        line += " ... " + line(simulation.ranks().get(rank), columns - tail, columns);
      }
      out.println(String.format(Locale.ROOT, "%" + name + "d | %s", rank, line).stripTrailing());
    }
    if (tail > 0) {
      out.println();
      out.println(
          "Columns "
              + Units.count(head + 1)
              + " to "
              + Units.count(columns - tail)
              + " of "
              + Units.count(columns)
              + " are left out.");
    }
  }

  /** The columns from {@code from} to {@code to} of a rank. */
  private String line(List<Simulation.Span> spans, long from, long to) {
    char[] text = new char[(int) (to - from) * cell];
    Arrays.fill(text, ' ');
    for (long column = from; column < to; column++) {
      text[(int) (column - from) * cell] = '.';
    }
    for (Simulation.Span span : spans) {
      if (span.end() > from && span.start() < to) {
        int columns = (int) (span.end() - span.start());
        String label = label(span.turn(), columns == 1 ? 0 : columns * cell - 1);
        long at = (span.start() - from) * cell;
        for (int i = 0; i < label.length(); i++) {
          if (at + i >= 0 && at + i < text.length) {
            text[(int) (at + i)] = label.charAt(i);
          }
        }
      }
    }
    return new String(text);
  }

  /** A turn, drawn out to its length. */
  private String label(Turn turn, int length) {
    StringBuilder label =
        new StringBuilder(turn.slots().stream().map(this::label).collect(Collectors.joining("&")));
    while (label.length() < length) {
      label.append('-');
    }
    return label.toString();
  }

  private String label(Slot slot) {
    // By its length it is plain which part of a backward pass it is.
    String letter = slot.pass() == Pass.INPUT_GRADIENTS ? "B" : slot.pass().letter();
    String chunk = pipeline.chunks() > 1 ? String.valueOf((char) ('a' + slot.chunk() % 26)) : "";
    return letter + slot.microBatch() + chunk;
  }
}
