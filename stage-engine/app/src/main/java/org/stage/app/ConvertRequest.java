package org.stage.app;

import java.nio.file.Path;
import java.util.List;

/**
 * Traces that are to be written in other formats.
 *
 * @param traces the folder that holds them
 * @param format their format; empty if the files are to tell
 * @param exporters the exporters to run, at least one
 * @param settings options of exporters, as {@code chakra.order=total}
 * @param output where files go
 */
public record ConvertRequest(
    Path traces, String format, List<String> exporters, List<String> settings, Output output) {
  /** Copies the lists. */
  public ConvertRequest {
    exporters = List.copyOf(exporters);
    settings = List.copyOf(settings);
  }
}
