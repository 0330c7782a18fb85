package org.stage.backend.simai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.RankClass;

/**
 * What is lost, and what is only to be known, in the order in which it was met; equal ones are one
 * with a count.
 */
final class Losses {
  private final Map<String, Loss> lost = new LinkedHashMap<>();
  private final Map<String, Loss> notes = new LinkedHashMap<>();

  void add(Loss loss) {
    lost.merge(loss.what(), loss, Loss::and);
  }

  /** Adds what the user should know though nothing is lost by it. */
  void note(Loss note) {
    notes.merge(note.what(), note, Loss::and);
  }

  void addAll(Losses others) {
    others.lost.values().forEach(this::add);
    others.notes.values().forEach(this::note);
  }

  List<Loss> list() {
    return List.copyOf(lost.values());
  }

  ExportReport report(long rows) {
    return new ExportReport(rows, diagnostics(notes), diagnostics(lost));
  }

  private static List<Diagnostic> diagnostics(Map<String, Loss> some) {
    return some.values().stream().map(Loss::diagnostic).toList();
  }

  void transfer(long bytes) {
    add(
        new Loss(
            Severity.NOTE,
            "sends to other pipeline stages are not in the file",
            "SimAI prices them by the overlap and not by the bandwidth: add their time yourself.",
            1,
            bytes));
  }

  void slow(RankClass ranks) {
    add(
        Loss.warning(
            "all ranks of stage "
                + ranks.stage()
                + " are slower by "
                + ranks.slowdown()
                + ", as "
                + ranks.ranks()
                + " are",
            "SimAI takes the ranks of a job to be alike: the step is an upper bound."));
  }

  void unlike(int stage) {
    add(
        Loss.warning(
            "ranks of stage "
                + stage
                + " do not all do the same: the file has what one of them does",
            "SimAI takes the ranks of a stage to be alike; the one that computes longest was taken."));
  }

  void host() {
    add(new Loss(Severity.NOTE, "work of the host is not in the file", "SimAI knows none.", 1, 0));
  }

  void offload(long bytes) {
    add(
        new Loss(
            Severity.NOTE,
            "transfers to and from memory outside the device are not in the file",
            "SimAI knows none: add their time yourself.",
            1,
            bytes));
  }

  void dropped(String kind, String group, int ranks, long bytes) {
    add(
        new Loss(
            Severity.WARNING,
            kind + " over " + group + " (" + ranks + " ranks) is not in the file",
            "SimAI has no such collective or group: add its time yourself.",
            1,
            bytes));
  }

  void repriced(String kind, String group, int ranks, int priced, long bytes) {
    add(
        new Loss(
            Severity.NOTE,
            kind + " over " + group + " (" + ranks + " ranks) is priced as over " + priced,
            "SimAI has no groups inside its groups.",
            1,
            bytes));
  }

  void free(int ranks, long bytes) {
    add(
        new Loss(
            Severity.NOTE,
            "messages below 1 MiB cost nothing among " + ranks + " ranks in SimAI",
            "It has constants for 2, 4, 8, 16, 32, 64 and 128 ranks only.",
            1,
            bytes));
  }

  void split(String what, String most) {
    note(
        new Loss(
            Severity.NOTE,
            what + " of more than " + most + " are split into rows",
            "SimAI does not end on larger ones, or ends without a result.",
            1,
            0));
  }
}
