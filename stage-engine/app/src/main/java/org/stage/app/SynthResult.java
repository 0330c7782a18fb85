package org.stage.app;

import java.util.List;
import org.stage.analyze.Analysis;
import org.stage.calibrate.CalibrationReport;

/**
 * What was synthesized.
 *
 * @param analyses the costs of each job
 * @param exported the files
 * @param calibrations how well durations are known, for each job that has measured ones
 */
public record SynthResult(
    List<Analysis> analyses, ExportResult exported, List<CalibrationReport> calibrations) {
  /** Copies the lists. */
  public SynthResult {
    analyses = List.copyOf(analyses);
    calibrations = List.copyOf(calibrations);
  }
}
