package org.stage.plugin.huggingface;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.stage.plugin.huggingface.format.ConfigText;

/**
 * What a model is called. Configurations do not say it: the file does, or the folder in which a
 * repository was put.
 */
final class ModelName {
  private static final int LONGEST = 80;
  private static final String SNAPSHOTS = "snapshots";

  private ModelName() {}

  /**
   * The name by {@code file}.
   *
   * @param origin what the configuration says of where it was loaded from; may be empty
   * @param otherwise where nothing tells
   */
  static String of(Path file, String origin, String otherwise) {
    List<String> candidates = new ArrayList<>();
    Path absolute = file.toAbsolutePath().normalize();
    String own = name(absolute);
    if (own.equals(ConfigText.FILE_NAME)) {
      @Nullable Path folder = absolute.getParent();
      candidates.add(folder == null ? "" : repository(folder));
    } else {
      candidates.add(own.endsWith(".json") ? own.substring(0, own.length() - 5) : own);
    }
    candidates.add(lastPart(origin));
    candidates.add(otherwise);
    return candidates.stream()
        .map(ModelName::clean)
        .filter(candidate -> !candidate.isEmpty())
        .findFirst()
        .orElse("model");
  }

  /** The cache of the hub has {@code models--ORG--NAME/snapshots/COMMIT/config.json}. */
  private static String repository(Path folder) {
    @Nullable Path snapshots = folder.getParent();
    if (snapshots != null && name(snapshots).equals(SNAPSHOTS)) {
      @Nullable Path repository = snapshots.getParent();
      String name = repository == null ? "" : name(repository);
      return name.substring(name.lastIndexOf("--") < 0 ? 0 : name.lastIndexOf("--") + 2);
    }
    return name(folder);
  }

  private static String name(Path path) {
    @Nullable Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }

  private static String lastPart(String origin) {
    String path = origin.replace('\\', '/').replaceAll("/+$", "");
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** As the name of a model may be written in a workload file. */
  private static String clean(String name) {
    String clean =
        name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
    return clean.length() > LONGEST ? clean.substring(0, LONGEST) : clean;
  }
}
