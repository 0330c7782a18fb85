package org.stage.api.plugin;

import java.nio.file.Path;
import org.slf4j.Logger;
import org.stage.api.workload.RankSet;

/** What the host gives to an exporter for one run. */
public interface ExportContext {
  /** An empty directory to write under. */
  Path directory();

  /** The user's options, complete and of the declared types. */
  OptionValues options();

  /** The ranks whose files are wanted; by default all. */
  RankSet ranks();

  /** Where progress goes. */
  Progress progress();

  /**
   * Returns if the run goes on.
   *
   * @throws java.util.concurrent.CancellationException if the user has stopped it
   */
  void checkCancelled();

  /** The plugin's logger. */
  Logger log();
}
