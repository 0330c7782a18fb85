package org.stage.api.plugin;

import java.io.IOException;
import org.stage.api.workload.Workload;

/**
 * Writes a workload in the format of one simulator. Called by {@code stage synth}, once per run, on
 * one thread.
 */
public interface Exporter extends Plugin {
  /**
   * Writes the files of {@code workload} under {@link ExportContext#directory()}, which is empty.
   * The host moves the directory into place when the call returns, and removes it when it throws.
   *
   * <p>Builds the graph of one rank class at a time and lets it go; asks {@link
   * ExportContext#checkCancelled()} at least once for each class of ranks, and for each file.
   *
   * @return what the target format could not say
   * @throws IOException if writing fails
   * @throws org.stage.api.diagnostic.InputException if the workload or an option does not fit the
   *     format
   * @throws org.stage.api.diagnostic.WorkException if the format cannot hold the workload
   */
  ExportReport export(Workload workload, ExportContext context) throws IOException;
}
