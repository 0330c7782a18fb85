package org.stage.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;
import org.stage.calibrate.CalibrationReport;
import org.stage.calibrate.CalibrationReport.Beyond;
import org.stage.calibrate.CalibrationReport.Holdout;
import org.stage.calibrate.CalibrationReport.Line;
import org.stage.calibrate.CalibrationReport.Residual;
import org.stage.calibrate.CalibrationReport.Steps;
import org.stage.calibrate.CalibrationReport.Use;
import org.stage.calibrate.Level;

/** A report on calibration for people. */
final class CalibrationText {
  private static final int SHOWN = 3;

  private CalibrationText() {}

  static void print(PrintWriter out, CalibrationReport report) {
    out.println();
    out.println("Known durations, in share of modelled time (communication: of bytes)");
    Table levels = new Table("kind", "known as", ">nodes", ">time", ">share");
    for (Line line : report.lines()) {
      levels.row(
          line.kind().text().replace('_', '-'),
          line.level().words(),
          Units.count(line.nodes()),
          line.ns() > 0 ? micros(line.ns()) : "",
          percent(line.share()));
    }
    levels.print(out);
    out.println(
        "Measured: "
            + percent(report.coverage(Level.CLASS))
            + " of computation, "
            + percent(report.coverage(Level.SWAPPED))
            + " by its own shape; "
            + percent(OptionalDouble.of(report.communicationCoverage()))
            + " of communication");
    steps(out, report.steps());
    use(out, report.use());
    report
        .computeFactor()
        .ifPresent(
            factor ->
                out.println(
                    String.format(
                        Locale.ROOT,
                        "What is given to the job may be off by a factor of %.2f",
                        factor)));
    beyond(out, report);
    holdouts(out, report);
    residuals(out, report);
    report.warnings().forEach(warning -> out.println("warning: " + warning));
  }

  private static void steps(PrintWriter out, Steps steps) {
    out.println(
        "A step of a rank: "
            + micros(steps.measuredCompute())
            + " of computation measured, "
            + micros(steps.knownCompute())
            + " given to the job"
            + (steps.allCompute().isPresent()
                ? ", " + micros(steps.allCompute().getAsDouble()) + " with estimates"
                : ""));
  }

  private static void use(PrintWriter out, Use use) {
    if (use.measured() > 0) {
      out.println(
          "Used of "
              + micros(use.measured())
              + ": "
              + share(use.matched(), use)
              + " (by name or shape "
              + share(use.named(), use)
              + ", by module "
              + share(use.module(), use)
              + ", by place "
              + share(use.place(), use)
              + "); residual share "
              + share(use.share(), use)
              + "; for similar work only "
              + share(use.similar(), use)
              + "; not used "
              + share(use.unused(), use));
    }
  }

  private static String share(double part, Use use) {
    return percent(OptionalDouble.of(part / use.measured()));
  }

  private static void beyond(PrintWriter out, CalibrationReport report) {
    for (Beyond each : report.beyond()) {
      String device =
          each.ns().isPresent() && each.factor().isPresent()
              ? String.format(
                  Locale.ROOT,
                  "the hardware of the job tells %s, of which such shapes took up to %,.1f times as"
                      + " long",
                  micros(each.ns().getAsDouble()),
                  each.factor().getAsDouble())
              : "nothing tells their time: name the hardware, or fit it by stage profile"
                  + " --fit-hardware";
      out.println(
          String.format(
              Locale.ROOT,
              "Beyond the sizes measured, %s: %s nodes, up to %,.0f times from the nearest; %s",
              each.kind().text().replace('_', '-'),
              Units.count(each.nodes()),
              each.distance(),
              device));
    }
  }

  private static void holdouts(PrintWriter out, CalibrationReport report) {
    for (Holdout each : report.holdouts()) {
      out.println(
          String.format(
              Locale.ROOT,
              "Shapes that nobody measured, %s: off by a factor of %.2f in the median, %.2f at the"
                  + " 90th percentile (%d shapes)",
              each.kind().text().replace('_', '-'),
              each.medianFactor(),
              each.p90Factor(),
              each.shapes()));
    }
  }

  private static void residuals(PrintWriter out, CalibrationReport report) {
    for (Residual each : report.residuals()) {
      StringBuilder line = new StringBuilder("Measured and not used, ");
      line.append(each.kind().text().replace('_', '-')).append(": ").append(micros(each.ns()));
      each.largest().stream()
          .limit(SHOWN)
          .forEach(
              name -> line.append("; ").append(name.name()).append(' ').append(micros(name.ns())));
      out.println(line);
    }
  }

  private static String percent(OptionalDouble share) {
    return share.isPresent()
        ? String.format(Locale.ROOT, "%.1f %%", 100 * share.getAsDouble())
        : "unknown";
  }

  private static String micros(double nanoseconds) {
    return String.format(Locale.ROOT, "%,.1f us", nanoseconds / 1e3);
  }
}
