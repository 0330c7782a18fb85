package org.stage.api.plugin;

import java.nio.file.Path;
import org.stage.api.workload.RankSet;

/** What the host gives to an exporter for one run. */
public interface ExportContext extends RunContext {
  /** An empty directory to write under. */
  Path directory();

  /** The ranks whose files are wanted; by default all. */
  RankSet ranks();
}
