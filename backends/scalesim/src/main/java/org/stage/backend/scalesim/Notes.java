package org.stage.backend.scalesim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Workload;

/** What the user should know of an export: what is lost, and what was assumed. */
final class Notes {
  /** From there on, a simulation takes minutes. */
  private static final double LARGE_BYTES = 1e9;

  private final Workload workload;
  private final Settings settings;
  private final List<Diagnostic> notes = new ArrayList<>();
  private final List<Diagnostic> losses = new ArrayList<>();

  Notes(Workload workload, Settings settings) {
    this.workload = workload;
    this.settings = settings;
  }

  ExportReport report(long nodes, List<ClassResult> results) {
    loseRest(results);
    loseDifference(results);
    for (ClassResult result : results) {
      if (result.rows() == 0) {
        warn(result.topology(), "holds no product", "SCALE-Sim stops on a topology without rows.");
      }
    }
    workload.classes().stream()
        .filter(each -> each.slowdown() != 1)
        .forEach(
            each ->
                lose(
                    "ranks "
                        + each.ranks()
                        + " are slower by "
                        + each.slowdown()
                        + ", of which cycles and seconds say nothing",
                    "They are those of a sound device: multiply the seconds."));
    noteArrays();
    noteCost(results);
    return new ExportReport(nodes, notes, losses);
  }

  private void loseRest(List<ClassResult> results) {
    double share = results.stream().mapToDouble(each -> each.tally().restShare()).max().orElse(0);
    lose(
        String.format(
            Locale.ROOT,
            "%.2f %% of the FLOPs of a rank are in no row, and no transfer or dependency is",
            100 * share),
        "totals.json lists them: price them elsewhere.");
  }

  private void loseDifference(List<ClassResult> results) {
    long most = results.stream().mapToLong(each -> each.tally().excessFlops()).max().orElse(0);
    long least = results.stream().mapToLong(each -> each.tally().excessFlops()).min().orElse(0);
    if (most > 0) {
      lose(
          "the rows of a rank hold up to "
              + most
              + " FLOPs more than the workload, which counts some products in part"
              + " (causal attention)",
          "A topology has no mask.");
    }
    if (least < 0) {
      losses.add(
          Diagnostic.warning(
              "",
              "the rows of a rank hold up to "
                  + -least
                  + " FLOPs less than the workload counts for the same kernels",
              "Some shapes do not say all products."));
    }
  }

  private void noteArrays() {
    Target target = settings.target();
    if (target.clockMhz() == 0) {
      String of = workload.hardware().map(Hardware::name).orElse("no device");
      note(
          "",
          "the matrix units of "
              + of
              + " are not known as systolic arrays: cycles are those of "
              + target.arrays()
              + " of "
              + target.array().height()
              + " x "
              + target.array().width()
              + ", without a clock",
          "Choose a preset, or give height, width, arrays and clock-mhz.");
    }
    if (settings.guessedSram()) {
      note(
          "",
          "buffers of 8192, 8192 and 4096 kB an array are a guess",
          "They change stalls and traffic, not compute cycles; give sram-kb.");
    }
  }

  private void noteCost(List<ClassResult> results) {
    double bytes = results.stream().mapToDouble(each -> each.need().bytes()).max().orElse(0);
    if (bytes > LARGE_BYTES) {
      note(
          "",
          String.format(
              Locale.ROOT, "SCALE-Sim needs about %.0f GB for the largest row", bytes / 1e9),
          "The cycles in the .repeats.csv are what it would report without stalls.");
    }
  }

  private void lose(String message, String remedy) {
    losses.add(new Diagnostic(Severity.NOTE, "", message, remedy));
  }

  private void note(String source, String message, String remedy) {
    notes.add(new Diagnostic(Severity.NOTE, source, message, remedy));
  }

  private void warn(String source, String message, String remedy) {
    notes.add(new Diagnostic(Severity.WARNING, source, message, remedy));
  }
}
