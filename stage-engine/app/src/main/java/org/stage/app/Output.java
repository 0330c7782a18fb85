package org.stage.app;

import java.nio.file.Path;

/**
 * Where exports go, and of which ranks.
 *
 * @param folder made if it is missing; each exporter writes into a folder of its name in it
 * @param ranks the ranks whose files are wanted, as {@code 0-7,64}; empty for all
 * @param force whether to replace what is there
 * @param failIfLossy whether to fail, and leave nothing, where a format cannot say all
 */
public record Output(Path folder, String ranks, boolean force, boolean failIfLossy) {
  /** Files of all ranks, where nothing is there yet. */
  public static Output to(Path folder) {
    return new Output(folder, "", false, false);
  }
}
