package org.stage.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.app.ProfileReading.Request;
import org.stage.calibrate.KnownTimes.Measured;
import org.stage.workloadfile.ProfileFile;

/** Asks the importers among the plugins for the profiles of a job. */
final class ProfileImports {
  private final LazyPlugins plugins;
  private final Listener listener;

  ProfileImports(LazyPlugins plugins, Listener listener) {
    this.plugins = plugins;
    this.listener = listener;
  }

  /**
   * What was measured: that of each file but those that only complete another one, as shapes
   * complete times.
   *
   * @param named the profiles that the workload file names
   * @param further profiles beside them, to be used for everything
   */
  List<Measured> read(List<ProfileFile> named, List<Path> further) {
    List<Request> requests = new ArrayList<>();
    for (ProfileFile each : named) {
      requests.add(
          new Request(each.file(), each.importer(), each.options(), each.origin().toString()));
    }
    for (Path file : further) {
      if (!Files.exists(file)) {
        throw new InputException("--profile", "there is no file '" + file + "'", "");
      }
      requests.add(new Request(file, "", Map.of(), "--profile"));
    }
    List<Measured> measured = new ArrayList<>();
    List<Optional<ReadProfile>> profiles = read(requests);
    for (int i = 0; i < profiles.size(); i++) {
      if (profiles.get(i).isPresent()) {
        measured.add(
            new Measured(
                profiles.get(i).get().profile(),
                i < named.size() ? named.get(i).only() : Optional.empty()));
      }
    }
    return measured;
  }

  /** Each file is read once, however often it is named. */
  private List<Optional<ReadProfile>> read(List<Request> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    Map<Object, Request> asked = new LinkedHashMap<>();
    requests.forEach(request -> asked.putIfAbsent(what(request), request));
    Map<Request, ReadProfile> profiles =
        new ProfileReading(plugins.get(), listener, Map.of()).read(List.copyOf(asked.values()));
    profiles.values().forEach(read -> read.notes().forEach(listener::say));
    return requests.stream()
        .map(each -> Optional.ofNullable(profiles.get(asked.get(what(each)))))
        .toList();
  }

  /** What is read, wherever it is named. */
  private static Object what(Request request) {
    return List.of(request.file(), request.importer(), request.options());
  }
}
