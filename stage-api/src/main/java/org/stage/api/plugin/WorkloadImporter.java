package org.stage.api.plugin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.Workload;

/**
 * Reads the execution traces of a whole job, so that they can be written again in another format.
 *
 * <p>Each method is called on one thread at a time; a new call may come from another thread. The
 * graphs of the workload are built when an exporter asks for them, on its thread, while the files
 * are still in place.
 *
 * <p>Called by {@code stage convert}.
 */
public interface WorkloadImporter extends Plugin {
  /**
   * Whether {@code directory} holds traces of this format, judged without reading them whole. False
   * is no fault: every importer is asked.
   *
   * @throws IOException if the directory cannot be read
   */
  boolean accepts(Path directory) throws IOException;

  /**
   * Reads a job. The result passes {@link Workload#verify()}, and each of its graphs {@link
   * org.stage.api.workload.ExecutionGraph#verify()}; ranks that cannot be told to be alike each
   * make a class of their own.
   *
   * @throws IOException if a file cannot be read
   * @throws org.stage.api.diagnostic.InputException if a file is damaged, or says what a workload
   *     cannot hold; the message names file and place
   */
  Imported read(Path directory, RunContext context) throws IOException;

  /**
   * An imported job.
   *
   * @param workload the job
   * @param notes what was guessed, and what else the user should know
   * @param losses what the traces say and the workload cannot hold
   */
  record Imported(Workload workload, List<Diagnostic> notes, List<Diagnostic> losses) {
    /** Copies the lists. */
    public Imported {
      notes = List.copyOf(notes);
      losses = List.copyOf(losses);
    }
  }
}
