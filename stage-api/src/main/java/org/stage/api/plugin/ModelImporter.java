package org.stage.api.plugin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.model.ModelDescription;

/**
 * Reads a foreign description of a model, such as a Hugging Face {@code config.json}. Called when a
 * workload file names a path as its {@code model}, once per run, on one thread.
 */
public interface ModelImporter extends Plugin {
  /**
   * Whether {@code file} is of the kind that this importer reads, judged by its content.
   *
   * @throws IOException if the file cannot be read
   */
  boolean accepts(Path file) throws IOException;

  /**
   * The model in numbers.
   *
   * @throws IOException if the file cannot be read
   * @throws org.stage.api.diagnostic.InputException if it is damaged, or describes a model that
   *     STAGE cannot build; the message names what is missing and the families there are
   */
  Imported read(Path file) throws IOException;

  /**
   * An imported model.
   *
   * @param model the model in numbers
   * @param notes what the file did not say and was taken from the family's published defaults, and
   *     what of it was not used
   */
  record Imported(ModelDescription model, List<Diagnostic> notes) {
    /** Requires a model; copies the list. */
    public Imported {
      Objects.requireNonNull(model);
      notes = List.copyOf(notes);
    }
  }
}
