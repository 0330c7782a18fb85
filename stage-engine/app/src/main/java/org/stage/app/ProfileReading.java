package org.stage.app;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
  private final Plugins plugins;
  private final Listener listener;
  private final Map<String, Map<String, String>> settings;

  /**
   * Prepares reading.
   *
   * @param settings options of importers, by importer and option, for all that each reads
   */
  ProfileReading(Plugins plugins, Listener listener, Map<String, Map<String, String>> settings) {
    this.plugins = plugins;
    this.listener = listener;
    this.settings = settings;
  }

  /**
   * A file to be read.
   *
   * @param file a file that exists
   * @param importer the importer that is to read it; empty if it is to be found
   * @param options the importer's options as typed
   * @param source where it is named, for messages
   */
  record Request(Path file, String importer, Map<String, String> options, String source) {}

  /**
   * Who reads a file, and how.
   *
   * @param given options that are not left at their defaults
   */
  private record Reader(
      Extension<ProfileImporter> importer, OptionValues options, Set<String> given) {}

  /**
   * The profiles in these files, by what asked for each; files that belong together become one,
   * which stands for the first. Each file must be there once for each way of reading it.
   *
   * @throws InputException if an option is not known, before anything is read
   */
  Map<Request, ReadProfile> read(List<Request> requests) {
    Map<Request, Reader> readers = new LinkedHashMap<>();
    requests.forEach(request -> readers.put(request, reader(request)));
    requireReaders(readers.values());
    Map<Request, List<Request>> companions = companions(readers);
    Set<Request> taken = new HashSet<>();
    companions.values().forEach(taken::addAll);
    Map<Request, ReadProfile> profiles = new LinkedHashMap<>();
    readers.forEach(
        (request, reader) -> {
          if (taken.contains(request)) {
            requireDefaults(request, reader);
          } else {
            profiles.put(
                request, read(request, reader, companions.getOrDefault(request, List.of())));
          }
        });
    return profiles;
  }

  private Reader reader(Request request) {
    Extension<ProfileImporter> importer = importer(request);
    Map<String, String> set = settings.getOrDefault(importer.name(), Map.of());
    Map<String, String> given = new TreeMap<>(request.options());
    given.putAll(set);
    String source = set.isEmpty() ? request.source() : "--set " + importer.name();
    return new Reader(
        importer,
        importer.call("options", instance -> OptionValues.of(source, instance.options(), given)),
        given.keySet());
  }

  private void requireReaders(Collection<Reader> readers) {
    List<String> names = readers.stream().map(each -> each.importer().name()).distinct().toList();
    for (String name : settings.keySet()) {
      if (!names.contains(name)) {
        throw new InputException(
            "--set",
            "'" + name + "' reads none of these files",
            "They are read by " + String.join(", ", names) + ".");
      }
    }
  }

  private static Map<Request, List<Request>> companions(Map<Request, Reader> readers) {
    Map<Request, List<Request>> companions = new LinkedHashMap<>();
    Set<Request> taken = new HashSet<>();
    readers.forEach(
        (request, reader) -> {
          List<Request> others =
              readers.keySet().stream()
                  .filter(each -> !each.file().equals(request.file()) && !taken.contains(each))
                  .toList();
          List<Request> own =
              others.isEmpty() || taken.contains(request)
                  ? List.of()
                  : companions(request, reader, others);
          companions.put(request, own);
          taken.addAll(own);
        });
    return companions;
  }

  private static List<Request> companions(Request request, Reader reader, List<Request> others) {
    List<Path> files = others.stream().map(Request::file).distinct().toList();
    List<Path> own =
        reader
            .importer()
            .call("companions", instance -> instance.companions(request.file(), files));
    return others.stream().filter(each -> own.contains(each.file())).toList();
  }

  /** What is read together with another file is read as that one's importer does. */
  private static void requireDefaults(Request companion, Reader reader) {
    if (!reader.given().isEmpty()) {
      throw new InputException(
          companion.file().toString(),
          "is read together with another file of its process, without options",
          "Leave out " + String.join(", ", reader.given()) + ", or the other file.");
    }
  }

  private ReadProfile read(Request request, Reader reader, List<Request> companions) {
    Path file = request.file();
    List<Path> others = companions.stream().map(Request::file).distinct().toList();
    Imported imported;
    try (Listener.Task progress = listener.begin(file.toString())) {
      PluginContext context =
          new PluginContext(
              reader.importer().plugin().id(),
              reader.options(),
              progress,
              listener::checkCancelled);
      imported =
          reader
              .importer()
              .call(
                  "read",
                  instance ->
                      others.isEmpty()
                          ? instance.read(file, context)
                          : instance.readWith(file, others, context));
    }
    return new ReadProfile(file, reader.importer().name(), imported.profile(), imported.notes());
  }

  private Extension<ProfileImporter> importer(Request request) {
    Path file = request.file();
    if (!request.importer().isEmpty()) {
      return plugins.find(
          ProfileImporter.class, "profile importer", request.source(), request.importer());
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
