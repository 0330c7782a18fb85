package org.stage.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.profile.Profile;
import org.stage.app.ProfileReading.Request;
import org.stage.spec.ProfileSource;

/** Asks the importers among the plugins for the profiles that a workload names. */
final class ProfileImports implements ProfileSource.Resolver {
  private final LazyPlugins plugins;
  private final Listener listener;

  ProfileImports(LazyPlugins plugins, Listener listener) {
    this.plugins = plugins;
    this.listener = listener;
  }

  @Override
  public List<Optional<Profile>> resolve(List<ProfileSource.Request> requests) {
    Map<Object, Request> asked = new LinkedHashMap<>();
    for (ProfileSource.Request each : requests) {
      asked.putIfAbsent(
          what(each), new Request(each.file(), each.importer(), each.options(), each.source()));
    }
    ProfileReading reading = new ProfileReading(plugins.get(), listener, Map.of());
    Map<Request, ReadProfile> profiles = reading.read(List.copyOf(asked.values()));
    profiles.values().forEach(read -> read.notes().forEach(listener::say));
    return requests.stream()
        .map(each -> Optional.ofNullable(profiles.get(asked.get(what(each)))))
        .map(read -> read.map(ReadProfile::profile))
        .toList();
  }

  /** What is read, wherever it is named. */
  private static Object what(ProfileSource.Request request) {
    return List.of(request.file(), request.importer(), request.options());
  }
}
