package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.stage.job.InjectedDuration;
import org.stage.job.NamePattern;
import org.stage.job.Origin;

/** Reads which profiles a workload file names, and which durations it sets by hand. */
final class DurationReader {
  private static final Set<String> KEYS = Set.of("file", "importer", "only");

  private DurationReader() {}

  /**
   * The profiles of a file, which exist.
   *
   * @param workload the workload file, whose folder paths are relative to
   */
  static List<ProfileFile> profiles(Values values, Path workload) {
    List<ProfileFile> profiles = new ArrayList<>();
    List<SourceNode> items = values.items("profile");
    for (int i = 0; i < items.size(); i++) {
      SourceNode.Fields fields = fields(items.get(i));
      if (!(fields.get("file") instanceof SourceNode.Scalar file)) {
        throw new IllegalStateException("the table of keys demands a file");
      }
      Origin origin = file.origin().at("profile[" + i + "].file");
      profiles.add(
          new ProfileFile(
              Located.find(workload, file, origin),
              word(fields, "importer").orElse(""),
              options(fields),
              word(fields, "only").map(NamePattern::new),
              origin));
    }
    return profiles;
  }

  /** What is no key of ours is an option of the importer. */
  private static Map<String, String> options(SourceNode.Fields fields) {
    Map<String, String> options = new TreeMap<>();
    fields
        .fields()
        .forEach(
            (key, value) -> {
              if (!KEYS.contains(key)) {
                options.put(key, ((SourceNode.Scalar) value).raw());
              }
            });
    return options;
  }

  private static SourceNode.Fields fields(SourceNode item) {
    return item instanceof SourceNode.Fields fields
        ? fields
        : new SourceNode.Fields(item.origin(), Map.of("file", item));
  }

  private static Optional<String> word(SourceNode.Fields fields, String key) {
    return fields.get(key) instanceof SourceNode.Scalar scalar
        ? Optional.of(scalar.raw())
        : Optional.empty();
  }

  /** The durations that a file sets, in its order. */
  static List<InjectedDuration> injected(Values values) {
    List<InjectedDuration> durations = new ArrayList<>();
    if (values.node("inject").orElse(null) instanceof SourceNode.Fields patterns) {
      patterns
          .fields()
          .forEach(
              (pattern, value) -> {
                String micros = word((SourceNode.Fields) value, "duration_us").orElseThrow();
                durations.add(
                    new InjectedDuration(
                        new NamePattern(pattern),
                        Math.round(Double.parseDouble(micros) * 1e3),
                        value.origin().at("inject." + pattern)));
              });
    }
    return durations;
  }
}
