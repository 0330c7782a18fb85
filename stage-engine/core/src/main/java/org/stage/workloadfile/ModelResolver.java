package org.stage.workloadfile;

import java.nio.file.Path;
import org.stage.api.diagnostic.InputException;
import org.stage.api.keys.WorkloadKeys;

/** Reads a model that a workload file names by its path. The engine knows no foreign format. */
@FunctionalInterface
public interface ModelResolver {
  /** Reads no model. */
  ModelResolver NONE =
      (file, source) -> {
        throw new InputException(
            source, "nothing here can import a model from " + file, "Name a preset.");
      };

  /**
   * The keys of the model in {@code file}, which exists.
   *
   * @param file a file, or a folder
   * @param source where the workload file names it, for messages
   * @throws InputException if it cannot be read
   */
  WorkloadKeys resolve(Path file, String source);
}
