package org.stage.cli;

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
    Map<Object, ProfileSource.Request> asked = new LinkedHashMap<>();
    requests.forEach(request -> asked.putIfAbsent(what(request), request));
    ProfileReading reading = new ProfileReading(stage, plugins.get(), Map.of());
    Map<Object, Profile> profiles = new HashMap<>();
    reading
        .read(List.copyOf(asked.values()))
        .forEach(
            (request, read) -> {
              read.notes().forEach(stage::say);
              profiles.put(what(request), read.profile());
            });
    return requests.stream()
        .map(request -> Optional.ofNullable(profiles.get(what(request))))
        .toList();
  }

  /** What is read, wherever it is named. */
  private static Object what(ProfileSource.Request request) {
    return List.of(request.file(), request.importer(), request.options());
  }
}
