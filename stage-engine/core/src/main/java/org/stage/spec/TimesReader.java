package org.stage.spec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.Profile;

/** Reads what a workload file says of measured durations and of those set by hand. */
final class TimesReader {
  private static final Set<String> KEYS = Set.of("file", "importer", "only");

  private final Path workload;
  private final ProfileSource source;

  /**
   * A reader.
   *
   * @param workload the workload file, whose folder paths are relative to
   * @param source reads profiles
   */
  TimesReader(Path workload, ProfileSource source) {
    this.workload = workload;
    this.source = source;
  }

  KnownTimes read(Values values) {
    List<ProfileSource.Request> requests = new ArrayList<>();
    List<Optional<NamePattern>> only = new ArrayList<>();
    List<Node> items = values.items("profile");
    for (int i = 0; i < items.size(); i++) {
      Node.Fields fields = fields(items.get(i));
      if (!(fields.get("file") instanceof Node.Scalar file)) {
        throw new IllegalStateException("the table of keys demands a file");
      }
      String place = file.place().at("profile[" + i + "].file");
      Path found = Located.find(workload, file, place);
      String importer = word(fields, "importer").orElse("");
      requests.add(new ProfileSource.Request(found, importer, options(fields), place));
      only.add(word(fields, "only").map(NamePattern::new));
    }
    for (Path file : source.further()) {
      if (!Files.exists(file)) {
        throw new InputException("--profile", "there is no file '" + file + "'", "");
      }
      requests.add(new ProfileSource.Request(file, "", Map.of(), "--profile"));
      only.add(Optional.empty());
    }
    return new KnownTimes(measured(requests, only), injections(values));
  }

  /** What is no key of ours is an option of the importer. */
  private static Map<String, String> options(Node.Fields fields) {
    Map<String, String> options = new TreeMap<>();
    fields
        .fields()
        .forEach(
            (key, value) -> {
              if (!KEYS.contains(key)) {
                options.put(key, ((Node.Scalar) value).raw());
              }
            });
    return options;
  }

  private List<KnownTimes.Measured> measured(
      List<ProfileSource.Request> requests, List<Optional<NamePattern>> only) {
    List<KnownTimes.Measured> measured = new ArrayList<>();
    if (requests.isEmpty()) {
      return measured;
    }
    List<Optional<Profile>> profiles = source.resolver().resolve(requests);
    for (int i = 0; i < profiles.size(); i++) {
      if (profiles.get(i).isPresent()) {
        measured.add(new KnownTimes.Measured(profiles.get(i).get(), only.get(i)));
      }
    }
    return measured;
  }

  private static Node.Fields fields(Node item) {
    return item instanceof Node.Fields fields
        ? fields
        : new Node.Fields(item.place(), Map.of("file", item));
  }

  private static Optional<String> word(Node.Fields fields, String key) {
    return fields.get(key) instanceof Node.Scalar scalar
        ? Optional.of(scalar.raw())
        : Optional.empty();
  }

  private static List<KnownTimes.Injection> injections(Values values) {
    List<KnownTimes.Injection> injections = new ArrayList<>();
    if (values.node("inject").orElse(null) instanceof Node.Fields patterns) {
      patterns
          .fields()
          .forEach(
              (pattern, value) -> {
                Node.Fields fields = (Node.Fields) value;
                double micros = Double.parseDouble(word(fields, "duration_us").orElseThrow());
                injections.add(
                    new KnownTimes.Injection(
                        new NamePattern(pattern),
                        Math.round(micros * 1e3),
                        value.place().at("inject." + pattern)));
              });
    }
    return injections;
  }
}
