package org.stage.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.WorkException;
import org.stage.calibrate.CalibrationReport;
import org.stage.calibrate.CalibrationReport.Beyond;
import org.stage.calibrate.CalibrationReport.Holdout;
import org.stage.calibrate.CalibrationReport.Line;
import org.stage.calibrate.CalibrationReport.Residual;
import org.stage.calibrate.CalibrationReport.Source;
import org.stage.calibrate.CalibrationReport.Steps;
import org.stage.calibrate.Level;

/**
 * A report on calibration in the form that scripts read; {@code docs/calibration.md} promises it.
 */
public final class CalibrationJson {
  private static final MathContext DIGITS = new MathContext(6);

  private CalibrationJson() {}

  /** Writes them beside exports: one as {@code calibration.json}, more with numbers from 1. */
  static void write(Path out, List<CalibrationReport> reports) {
    for (int i = 0; i < reports.size(); i++) {
      StringWriter text = new StringWriter();
      try (PrintWriter writer = new PrintWriter(text)) {
        Json.print(writer, of(reports.get(i)));
      }
      Path file = out.resolve("calibration" + (reports.size() == 1 ? "" : "-" + (i + 1)) + ".json");
      try {
        Files.writeString(file, text.toString());
      } catch (IOException e) {
        throw new WorkException(file.toString(), "cannot be written", "");
      }
    }
  }

  /** A report as a map, as {@link Json} prints it. */
  public static Map<String, @Nullable Object> of(CalibrationReport report) {
    return Json.object(
        "profiles", report.sources().stream().map(CalibrationJson::source).toList(),
        "coverage", coverage(report),
        "levels", report.lines().stream().map(CalibrationJson::line).toList(),
        "residual", report.residuals().stream().map(CalibrationJson::residual).toList(),
        "beyond", report.beyond().stream().map(CalibrationJson::beyond).toList(),
        "holdout", report.holdouts().stream().map(CalibrationJson::holdout).toList(),
        "step", steps(report),
        "used", used(report.use()),
        "warnings", report.warnings());
  }

  private static Map<String, @Nullable Object> coverage(CalibrationReport report) {
    return Json.object(
        "exact", number(report.coverage(Level.SWAPPED)),
        "scaled", number(report.coverage(Level.SCALED)),
        "known", number(report.coverage(Level.CLASS)),
        "communication", number(report.communicationCoverage()));
  }

  private static Map<String, @Nullable Object> source(Source source) {
    return Json.object(
        "file",
        source.file(),
        "device",
        source.device().isEmpty() ? null : source.device(),
        "rank",
        source.rank() < 0 ? null : source.rank(),
        "steps",
        source.steps());
  }

  private static Map<String, @Nullable Object> line(Line line) {
    return Json.object(
        "kind", line.kind().text(),
        "level", line.level().text(),
        "nodes", line.nodes(),
        "total_us", number(line.ns() / 1e3),
        "bytes", line.kind().isCommunication() ? number(line.bytes()) : null,
        "share", number(line.share()));
  }

  private static Map<String, @Nullable Object> residual(Residual residual) {
    Map<String, @Nullable Object> largest = new LinkedHashMap<>();
    residual.largest().forEach(each -> largest.put(each.name(), number(each.ns() / 1e3)));
    return Json.object(
        "kind", residual.kind().text(),
        "step_us", number(residual.ns() / 1e3),
        "largest_us", largest);
  }

  private static Map<String, @Nullable Object> beyond(Beyond beyond) {
    return Json.object(
        "kind", beyond.kind().text(),
        "nodes", beyond.nodes(),
        "total_us", beyond.ns().isPresent() ? number(beyond.ns().getAsDouble() / 1e3) : null,
        "distance", number(beyond.distance()),
        "factor", number(beyond.factor()));
  }

  private static Map<String, @Nullable Object> holdout(Holdout holdout) {
    return Json.object(
        "kind", holdout.kind().text(),
        "shapes", holdout.shapes(),
        "median_factor", number(holdout.medianFactor()),
        "p90_factor", number(holdout.p90Factor()),
        "time_factor", number(holdout.timeFactor()),
        "worst_factor", number(holdout.worstFactor()));
  }

  private static Map<String, @Nullable Object> used(CalibrationReport.Use use) {
    return Json.object(
        "measured_us", number(use.measured() / 1e3),
        "by_name_us", number(use.named() / 1e3),
        "by_module_us", number(use.module() / 1e3),
        "by_place_us", number(use.place() / 1e3),
        "residual_share_us", number(use.share() / 1e3),
        "similar_only_us", number(use.similar() / 1e3),
        "not_used_us", number(use.unused() / 1e3));
  }

  private static Map<String, @Nullable Object> steps(CalibrationReport report) {
    Steps steps = report.steps();
    OptionalDouble all = steps.allCompute();
    return Json.object(
        "measured_compute_us", number(steps.measuredCompute() / 1e3),
        "measured_communication_us", number(steps.measuredCommunication() / 1e3),
        "known_compute_us", number(steps.knownCompute() / 1e3),
        "known_communication_us", number(steps.knownCommunication() / 1e3),
        "all_compute_us", all.isPresent() ? number(all.getAsDouble() / 1e3) : null,
        "compute_factor", number(report.computeFactor()));
  }

  private static @Nullable BigDecimal number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : null;
  }

  private static BigDecimal number(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }
}
