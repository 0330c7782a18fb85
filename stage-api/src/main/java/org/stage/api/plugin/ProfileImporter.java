package org.stage.api.plugin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.profile.Profile;

/**
 * Reads what a real run took from the file of a profiler: operators with their shapes, bytes and
 * durations, to be put in place of estimates.
 *
 * <p>Each method is called on one thread at a time; a new call may come from another thread.
 */
public interface ProfileImporter extends Plugin {
  /**
   * Whether {@code file} is of the kind that this importer reads, judged by its first bytes. False
   * is no fault: every importer is asked.
   *
   * @throws IOException if the file cannot be read
   */
  boolean accepts(Path file) throws IOException;

  /**
   * Reads the profile of one rank. A file that ends too early is read up to there, with a warning
   * among the notes; such a file is common, as profilers are killed with their jobs.
   *
   * @throws IOException if the file cannot be read
   * @throws org.stage.api.diagnostic.InputException if nothing in it can be used; the message says
   *     where in the file
   */
  Imported read(Path file, RunContext context) throws IOException;

  /**
   * Which of {@code others} tell more of what {@code file} tells, so that the two are to be read as
   * one: an execution trace has shapes, and a profile of the same process has times. The host hands
   * them to {@link #readWith}, and does not read them by themselves.
   *
   * @param file a file that this importer accepts
   * @param others the other files that the user named
   * @throws IOException if a file cannot be read
   */
  default List<Path> companions(Path file, List<Path> others) throws IOException {
    return List.of();
  }

  /**
   * Reads the profile of one rank from {@code file} and its companions.
   *
   * @param file as in {@link #read}
   * @param companions what {@link #companions} returned; not empty
   * @param context what the host gives
   * @throws IOException if a file cannot be read
   * @throws org.stage.api.diagnostic.InputException if nothing can be used
   */
  default Imported readWith(Path file, List<Path> companions, RunContext context)
      throws IOException {
    return read(file, context);
  }

  /**
   * An imported profile.
   *
   * @param profile what was measured
   * @param notes what was lost, skipped or guessed
   */
  record Imported(Profile profile, List<Diagnostic> notes) {
    /** Copies the list. */
    public Imported {
      notes = List.copyOf(notes);
    }
  }
}
