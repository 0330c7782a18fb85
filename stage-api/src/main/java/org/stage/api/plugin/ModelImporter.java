package org.stage.api.plugin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.keys.WorkloadKeys;

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
   * @param keys the model as it would be typed: {@code model.family}, {@code model.hidden} and so
   *     on; a user's changes go over them. Without {@code model.head_dim}, {@code model.qkv_bias}
   *     and the like where these follow from other keys, so that they follow a user's changes too
   * @param notes what the file did not say and was taken from the family's published defaults, and
   *     what of it was not used
   */
  record Imported(WorkloadKeys keys, List<Diagnostic> notes) {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if a key is not one of a model in numbers: a fault of the
     *     plugin
     */
    public Imported {
      for (String key : keys.values().keySet()) {
        if (!key.startsWith("model.") || key.equals("model.preset")) {
          throw new IllegalArgumentException(
              key + " is no key of an imported model: those are below model., without preset");
        }
      }
      notes = List.copyOf(notes);
    }
  }
}
