package org.stage.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;
import org.stage.workloadfile.WorkloadReader;

/**
 * Options of exporters that stand on the command line, as {@code dot.rank=3}, among the keys of the
 * workload file that it overrides.
 *
 * @param byExporter values by exporter and option
 */
record ExportSettings(Map<String, Map<String, String>> byExporter) {
  private static final String SOURCE = "--set";

  /**
   * Takes the options out of a request's overrides: what begins with the name of an exporter, which
   * is no key of a workload file. A misspelt key stays, for the reader of the file to refuse.
   *
   * @param exporters the names there are; asked only where an override is no key
   * @param keys gets the jobs with the other overrides
   */
  static ExportSettings of(
      List<JobRequest> jobs, Supplier<Set<String>> exporters, List<JobRequest> keys) {
    ExportSettings settings = new ExportSettings(new LinkedHashMap<>());
    for (JobRequest job : jobs) {
      Map<Boolean, List<String>> parts =
          job.overrides().stream()
              .collect(
                  Collectors.partitioningBy(
                      each -> !isKey(each) && exporters.get().contains(nameOf(each))));
      parts.getOrDefault(true, List.of()).forEach(each -> settings.put(nameOf(each), each));
      keys.add(job.withOverrides(parts.getOrDefault(false, List.of())));
    }
    return settings;
  }

  /** All of these as options of {@code exporters}, which may have none. */
  static ExportSettings of(List<String> all, List<String> exporters) {
    ExportSettings settings = new ExportSettings(new LinkedHashMap<>());
    for (String each : all) {
      if (!exporters.contains(nameOf(each))) {
        throw new InputException(
            SOURCE,
            "'" + each + "' sets no option of an exporter",
            "Write it like " + exporters.get(0) + ".OPTION=VALUE.");
      }
      settings.put(nameOf(each), each);
    }
    return settings;
  }

  private void put(String name, String setting) {
    int equals = setting.indexOf('=');
    byExporter
        .computeIfAbsent(name, each -> new LinkedHashMap<>())
        .put(setting.substring(name.length() + 1, equals), setting.substring(equals + 1));
  }

  private static boolean isKey(String override) {
    return nameOf(override).isEmpty() || WorkloadReader.hasKey(nameOf(override));
  }

  /** What stands before the first dot, if that comes before the equals sign; else nothing. */
  private static String nameOf(String setting) {
    int dot = setting.indexOf('.');
    return dot > 0 && dot < setting.indexOf('=') ? setting.substring(0, dot) : "";
  }

  /** Where the options of {@code name} are given, if the command line has any: else there. */
  String place(String name, String otherwise) {
    return byExporter.containsKey(name) ? SOURCE + " " + name : otherwise;
  }

  /** The options of {@code name}: those of the command line over {@code given}. */
  Map<String, String> over(String name, Map<String, String> given) {
    Map<String, String> all = new LinkedHashMap<>(given);
    all.putAll(byExporter.getOrDefault(name, Map.of()));
    return all;
  }

  /** Refuses options of exporters that do not run. */
  void requireAmong(List<String> running) {
    List<String> idle = new ArrayList<>(byExporter.keySet());
    idle.removeAll(running);
    if (!idle.isEmpty()) {
      String name = idle.get(0);
      throw new InputException(
          SOURCE + " " + name,
          "is not among the exporters that run: " + String.join(", ", running),
          "Add it to --to, or remove its option.");
    }
  }
}
