package org.stage.backend.genie;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ExportReport;
import org.stage.backend.genie.format.Limits;

/** What the user should know of an export: what is lost, and what to mind. */
final class Notes {
  private final List<Diagnostic> notes = new ArrayList<>();
  private final List<Diagnostic> losses = new ArrayList<>();

  private Notes() {}

  static ExportReport report(Settings settings, Communicators communicators, Totals totals) {
    Notes notes = new Notes();
    notes.lose(settings, totals);
    notes.groups(settings, communicators);
    if (totals.longestMessage() > Limits.BUFFER) {
      notes.add(
          Severity.WARNING,
          "a message has "
              + totals.longestMessage()
              + " bytes, and the buffers of Genie's public branch "
              + Limits.BUFFER,
          "Use a newer Genie, or make the micro-batch smaller.");
    }
    return new ExportReport(totals.written(), notes.notes, notes.losses);
  }

  private void lose(Settings settings, Totals totals) {
    if (settings.merge() && totals.computeSteps() < totals.computeNodes()) {
      lose(
          totals.computeNodes()
              + " compute nodes are "
              + totals.computeSteps()
              + " in the traces, as Genie only waits for them",
          "Set merge to false to keep each.");
    }
    if (totals.surplus() > 1) {
      lose(
          String.format(
              Locale.ROOT,
              "whole microseconds make the compute of a rank %.0f us longer than the roofline",
              totals.surplus()),
          "Kernels below 1 us cannot be said.");
    }
  }

  private void groups(Settings settings, Communicators communicators) {
    if (communicators.mostPerRank() > 1) {
      add(
          Severity.WARNING,
          "a rank is in " + communicators.mostPerRank() + " communicators",
          "Branch 482788b of Genie keeps one and ignores names: use a newer one.");
    }
    if (settings.scaleUp() > 1) {
      add(
          Severity.NOTE,
          communicators.within(settings.scaleUp())
              + " of "
              + communicators.table().size()
              + " communicators lie within "
              + settings.scaleUp()
              + " contiguous ranks and send nothing",
          "Compile Genie with SCALE_UP_GROUP_SIZE=" + settings.scaleUp() + ".");
    }
  }

  private void lose(String message, String remedy) {
    losses.add(new Diagnostic(Severity.NOTE, "", message, remedy));
  }

  private void add(Severity severity, String message, String remedy) {
    notes.add(new Diagnostic(severity, "", message, remedy));
  }
}
