package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.ProfileImporter;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.host.Extension;
import org.stage.host.PluginContext;
import org.stage.host.Plugins;

/** Asks the importers among the plugins for profiles. */
final class ProfileReading {
  private final Stage stage;
  private final Plugins plugins;
  private final String wanted;

  /**
   * Prepares reading.
   *
   * @param wanted the name of the importer; empty to ask them all
   */
  ProfileReading(Stage stage, Plugins plugins, String wanted) {
    this.stage = stage;
    this.plugins = plugins;
    this.wanted = wanted;
  }

  /** The profiles in these files; files that belong together become one. */
  List<ReadProfile> read(List<Path> files) {
    Map<Path, Extension<ProfileImporter>> importers = new LinkedHashMap<>();
    files.forEach(file -> importers.put(file, importer(file)));
    Map<Path, List<Path>> companions = companions(importers);
    Set<Path> taken = new HashSet<>();
    companions.values().forEach(taken::addAll);
    List<ReadProfile> profiles = new ArrayList<>();
    importers.forEach(
        (file, importer) -> {
          if (!taken.contains(file)) {
            profiles.add(read(file, importer, companions.getOrDefault(file, List.of())));
          }
        });
    return profiles;
  }

  private static Map<Path, List<Path>> companions(Map<Path, Extension<ProfileImporter>> importers) {
    Map<Path, List<Path>> companions = new LinkedHashMap<>();
    Set<Path> taken = new HashSet<>();
    importers.forEach(
        (file, importer) -> {
          List<Path> others =
              importers.keySet().stream()
                  .filter(each -> !each.equals(file) && !taken.contains(each))
                  .toList();
          List<Path> own =
              others.isEmpty() || taken.contains(file)
                  ? List.of()
                  : importer.call("companions", instance -> instance.companions(file, others));
          companions.put(file, own);
          taken.addAll(own);
        });
    return companions;
  }

  private ReadProfile read(Path file, Extension<ProfileImporter> importer, List<Path> companions) {
    OptionValues options =
        importer.call("options", instance -> OptionValues.of("", instance.options(), Map.of()));
    Imported imported;
    try (ProgressLine progress = new ProgressLine(stage, file.toString())) {
      PluginContext context =
          new PluginContext(
              importer.plugin().id(),
              options,
              progress,
              stage.world().interruption().cancellation());
      imported =
          importer.call(
              "read",
              instance ->
                  companions.isEmpty()
                      ? instance.read(file, context)
                      : instance.readWith(file, companions, context));
    }
    return new ReadProfile(file, importer.name(), imported.profile(), imported.notes());
  }

  private Extension<ProfileImporter> importer(Path file) {
    if (!wanted.isEmpty()) {
      return plugins.find(ProfileImporter.class, "profile importer", "--importer", wanted);
    }
    List<Extension<ProfileImporter>> all = plugins.extensions(ProfileImporter.class);
    List<Extension<ProfileImporter>> fitting =
        all.stream()
            .filter(each -> each.call("accepts", instance -> instance.accepts(file)))
            .toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    throw fitting.isEmpty()
        ? new InputException(file.toString(), "is no profile of a known kind", remedy(all))
        : new InputException(
            file.toString(),
            "may be of several kinds: " + names(fitting),
            "Say which by --importer.");
  }

  private static String remedy(List<Extension<ProfileImporter>> all) {
    return all.isEmpty()
        ? "No plugin reads profiles: name a folder with plugins by --plugins."
        : "To have it read all the same, name one of these by --importer: " + names(all) + ".";
  }

  private static String names(List<Extension<ProfileImporter>> importers) {
    return importers.stream().map(Extension::name).collect(Collectors.joining(", "));
  }
}
