package org.stage.spec;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.Profile;

/**
 * Where profiles come from. The engine knows no profiler's format.
 *
 * @param resolver reads them
 * @param further profiles beside those that the workload file names, to be used for everything
 */
public record ProfileSource(Resolver resolver, List<Path> further) {
  /** Reads no profile. */
  public static final ProfileSource NONE =
      new ProfileSource(
          files -> {
            throw new InputException(
                files.get(0).source(), "nothing here can import profiles", "Remove it.");
          },
          List.of());

  /** Copies the list. */
  public ProfileSource {
    further = List.copyOf(further);
  }

  /** Reads files of profilers. */
  @FunctionalInterface
  public interface Resolver {
    /**
     * The profiles in {@code files}, in their order: one for each file, empty for a file that only
     * completes another one, as shapes complete times.
     *
     * @param files at least one; each exists
     * @throws InputException if one cannot be used
     */
    List<Optional<Profile>> resolve(List<Request> files);
  }

  /**
   * A file to be read.
   *
   * @param file a file that exists
   * @param importer the importer that is to read it; empty if it is to be found
   * @param options the importer's options as typed
   * @param source where it is named, for messages
   */
  public record Request(Path file, String importer, Map<String, String> options, String source) {
    /** Copies the map. */
    public Request {
      options = Map.copyOf(options);
    }
  }
}
