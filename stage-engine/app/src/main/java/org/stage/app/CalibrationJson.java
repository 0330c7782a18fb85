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
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("profiles", report.sources().stream().map(CalibrationJson::source).toList());
    Map<String, @Nullable Object> coverage = new LinkedHashMap<>();
    coverage.put("exact", number(report.coverage(Level.SWAPPED)));
    coverage.put("scaled", number(report.coverage(Level.SCALED)));
    coverage.put("known", number(report.coverage(Level.CLASS)));
    coverage.put("communication", number(report.communicationCoverage()));
    json.put("coverage", coverage);
    json.put("levels", report.lines().stream().map(CalibrationJson::line).toList());
    json.put("residual", report.residuals().stream().map(CalibrationJson::residual).toList());
    json.put("holdout", report.holdouts().stream().map(CalibrationJson::holdout).toList());
    json.put("step", steps(report));
    json.put("warnings", report.warnings());
    return json;
  }

  private static Map<String, @Nullable Object> source(Source source) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("file", source.file());
    json.put("device", source.device().isEmpty() ? null : source.device());
    json.put("rank", source.rank() < 0 ? null : source.rank());
    json.put("steps", source.steps());
    return json;
  }

  private static Map<String, @Nullable Object> line(Line line) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("kind", line.kind().text());
    json.put("level", line.level().text());
    json.put("nodes", line.nodes());
    json.put("total_us", number(line.ns() / 1e3));
    json.put("bytes", line.kind().isCommunication() ? number(line.bytes()) : null);
    json.put("share", number(line.share()));
    return json;
  }

  private static Map<String, @Nullable Object> residual(Residual residual) {
    Map<String, @Nullable Object> largest = new LinkedHashMap<>();
    residual.largest().forEach(each -> largest.put(each.name(), number(each.ns() / 1e3)));
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("kind", residual.kind().text());
    json.put("step_us", number(residual.ns() / 1e3));
    json.put("largest_us", largest);
    return json;
  }

  private static Map<String, @Nullable Object> holdout(Holdout holdout) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("kind", holdout.kind().text());
    json.put("shapes", holdout.shapes());
    json.put("median_factor", number(holdout.medianFactor()));
    json.put("p90_factor", number(holdout.p90Factor()));
    json.put("time_factor", number(holdout.timeFactor()));
    return json;
  }

  private static Map<String, @Nullable Object> steps(CalibrationReport report) {
    Steps steps = report.steps();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("measured_compute_us", number(steps.measuredCompute() / 1e3));
    json.put("measured_communication_us", number(steps.measuredCommunication() / 1e3));
    json.put("known_compute_us", number(steps.knownCompute() / 1e3));
    json.put("known_communication_us", number(steps.knownCommunication() / 1e3));
    OptionalDouble all = steps.allCompute();
    json.put("all_compute_us", all.isPresent() ? number(all.getAsDouble() / 1e3) : null);
    json.put("compute_factor", number(report.computeFactor()));
    return json;
  }

  private static @Nullable BigDecimal number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : null;
  }

  private static BigDecimal number(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }
}
