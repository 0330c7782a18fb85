package org.stage.workloadfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Nearest;

/** What is named in place of a workload file, and what its user probably wants. */
final class NotAWorkload {
  /** An owner and a name, as model hubs call their models. */
  private static final Pattern HUB_ID = Pattern.compile("[\\w.-]+/[\\w.-]+");

  private static final String NO_DOWNLOAD =
      "A model of a hub is not downloaded: save its config.json, and name that as the model.";

  private NotAWorkload() {}

  /** How to write a workload file for a model. */
  static String write(String model) {
    return "Write a workload file, say job.yaml, of the lines `model: "
        + model
        + "` and `training: {global_batch: 8, seq: 4096}`, and name that.";
  }

  /** There is no file {@code name}. */
  static InputException missing(String name) {
    String remedy = "";
    String preset = Nearest.name(name, Presets.NAMES).orElse("");
    if (!preset.isEmpty()) {
      remedy = preset + " is a model. " + write(preset);
    } else if (isHubId(name)) {
      remedy = NO_DOWNLOAD;
    } else {
      remedy = beside(Path.of(name)).map(there -> "Did you mean " + there + "?").orElse("");
    }
    return new InputException(name, "there is no such file", remedy);
  }

  /** A workload file of the same folder whose name is like that of {@code missing}. */
  private static Optional<Path> beside(Path missing) {
    Path folder = missing.resolveSibling("");
    try (Stream<Path> files = Files.list(folder)) {
      Map<String, Path> byName = new TreeMap<>();
      files
          .filter(file -> isFileName(file.toString()))
          .forEach(file -> byName.put(file.getFileName().toString(), file));
      return Nearest.name(missing.getFileName().toString(), byName.keySet())
          .map(missing::resolveSibling);
    } catch (IOException e) {
      // no such folder either
      return Optional.empty();
    }
  }

  /** What to do where a path that is no file looks like a model of a hub; else nothing. */
  static String hubRemedy(String path) {
    return isHubId(path) ? " " + NO_DOWNLOAD : "";
  }

  private static boolean isHubId(String path) {
    return HUB_ID.matcher(path).matches() && !path.startsWith(".") && !isFileName(path);
  }

  private static boolean isFileName(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    return lower.endsWith(".json") || lower.endsWith(".yaml") || lower.endsWith(".yml");
  }

  /** Refuses the configuration of a model in place of a workload. */
  static void refuseModel(String file, SourceNode.Fields root) {
    boolean config =
        root.get("model") == null
            && (root.get("model_type") != null || root.get("architectures") != null);
    if (config) {
      throw new InputException(
          file, "is the configuration of a model, not a workload", write(file));
    }
  }
}
