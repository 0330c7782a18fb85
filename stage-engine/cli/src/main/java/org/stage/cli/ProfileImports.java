package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.profile.Profile;
import org.stage.spec.ProfileSource;

/** Asks the importers among the plugins for the profiles that a workload names. */
final class ProfileImports implements ProfileSource.Resolver {
  private final Stage stage;
  private final LazyPlugins plugins;

  ProfileImports(Stage stage, LazyPlugins plugins) {
    this.stage = stage;
    this.plugins = plugins;
  }

  @Override
  public List<Optional<Profile>> resolve(List<ProfileSource.Request> requests) {
    Map<String, List<Path>> byImporter = new LinkedHashMap<>();
    for (ProfileSource.Request request : requests) {
      byImporter
          .computeIfAbsent(request.importer(), importer -> new ArrayList<>())
          .add(request.file());
    }
    Map<Path, Profile> profiles = new HashMap<>();
    byImporter.forEach(
        (importer, files) -> {
          for (ReadProfile read : new ProfileReading(stage, plugins.get(), importer).read(files)) {
            read.notes().forEach(stage::say);
            profiles.put(read.file(), read.profile());
          }
        });
    return requests.stream()
        .map(request -> Optional.ofNullable(profiles.get(request.file())))
        .toList();
  }
}
