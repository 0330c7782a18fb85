package org.stage.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Plugin;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.host.Extension;
import org.stage.host.Plugins;

/**
 * A folder of traces whose format a user need not name.
 *
 * @param <T> what reads it
 * @param point its extension point
 * @param kind what it is, for messages: {@code format to validate}
 * @param does what it does, for messages: {@code check}
 * @param accepts whether a folder looks like its format
 */
record TraceFolder<T extends Plugin>(
    Class<T> point, String kind, String does, BiPredicate<Extension<T>, Path> accepts) {
  /** For what converts traces. */
  static final TraceFolder<WorkloadImporter> TO_CONVERT =
      new TraceFolder<>(
          WorkloadImporter.class,
          "format to convert from",
          "read",
          (importer, folder) -> importer.call("accepts", i -> i.accepts(folder)));

  /** For what checks traces. */
  static final TraceFolder<TraceValidator> TO_VALIDATE =
      new TraceFolder<>(
          TraceValidator.class,
          "format to validate",
          "check",
          (validator, folder) -> validator.call("accepts", v -> v.accepts(folder)));

  /**
   * What reads {@code directory}.
   *
   * @param from its name, or empty if the files are to tell
   */
  Extension<T> reader(Plugins plugins, Path directory, String from) {
    return from.isEmpty() ? detect(plugins, directory) : plugins.find(point, kind, "--from", from);
  }

  /** Refuses what is no folder. */
  static void require(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new InputException(
          directory.toString(),
          Files.exists(directory) ? "is not a folder" : "does not exist",
          "Name a folder that holds traces.");
    }
  }

  private Extension<T> detect(Plugins plugins, Path directory) {
    List<Extension<T>> all = plugins.extensions(point);
    List<Extension<T>> fitting =
        all.stream().filter(each -> accepts.test(each, directory)).toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    if (fitting.isEmpty()) {
      throw new InputException(
          directory.toString(), "holds no traces of a known format", remedy(all, directory));
    }
    throw new InputException(
        directory.toString(),
        "may be of several formats: " + names(fitting),
        "Say which by --from.");
  }

  /** Points to {@code out/chakra} where {@code out} was named. */
  private String remedy(List<Extension<T>> all, Path directory) {
    List<Path> inside;
    try (Stream<Path> files = Files.list(directory)) {
      inside =
          files
              .filter(Files::isDirectory)
              .filter(folder -> all.stream().anyMatch(each -> accepts.test(each, folder)))
              .sorted()
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!inside.isEmpty()) {
      return "Did you mean " + inside.get(0) + "?";
    }
    return all.isEmpty()
        ? "No plugin can " + does + " traces: name a folder with plugins by --plugins."
        : "Known are: " + names(all) + ".";
  }

  private static <E extends Plugin> String names(List<Extension<E>> readers) {
    return String.join(", ", readers.stream().map(Extension::name).toList());
  }
}
