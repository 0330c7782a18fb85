package org.stage.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginWrapper;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ApiVersion;
import org.stage.api.plugin.Plugin;

/**
 * What there is in some folders, and what is wrong with the rest. Extensions are constructed when
 * they are asked for: by name, only those of JARs whose manifest gives the name, or says nothing of
 * names. Closing it closes the JARs.
 */
public final class Plugins implements AutoCloseable {
  private static final Comparator<Extension<?>> ORDER =
      Comparator.comparing((Extension<?> extension) -> extension.plugin().id())
          .thenComparing(extension -> extension.kinds().get(0))
          .thenComparing(Extension::name);

  private final PluginHost host;

  Plugins(PluginHost host) {
    this.host = host;
  }

  /**
   * Loads the JARs that stand directly in {@code folders}. Of two plugins that give one name, that
   * of the earlier folder has it.
   *
   * @param told takes what is wrong with a JAR, as it turns up
   * @throws InputException if one of the folders is not there
   */
  public static Plugins load(List<Path> folders, Consumer<PluginIssue> told) {
    return load(folders, told, ApiVersion.current());
  }

  static Plugins load(List<Path> folders, Consumer<PluginIssue> told, String apiVersion) {
    PluginHost host = new PluginHost(folders, told, apiVersion);
    host.loadPlugins();
    return new Plugins(host);
  }

  /** The manager behind it, for those who know PF4J. */
  public PluginHost manager() {
    return host;
  }

  /** The plugins of which at least one extension can be used, by id. */
  public List<LoadedPlugin> loaded() {
    return host.started().stream()
        .map(LoadedPlugin::of)
        .sorted(Comparator.comparing(LoadedPlugin::id))
        .toList();
  }

  /** How each plugin fares, by id; then the JARs that cannot be used. */
  public List<PluginStatus> statuses() {
    List<PluginStatus> all = new ArrayList<>();
    for (PluginWrapper plugin : host.started()) {
      LoadedPlugin known = LoadedPlugin.of(plugin);
      all.add(
          new PluginStatus(
              known.id(),
              known.version(),
              plugin.getPluginState().toString(),
              types(plugin, Plugin.class).stream()
                  .sorted(Comparator.comparing(type -> ExtensionKind.of(type).get(0)))
                  .map(type -> title(plugin, type))
                  .toList(),
              known.jar()));
    }
    all.sort(Comparator.comparing(PluginStatus::id));
    all.addAll(host.failed());
    return all;
  }

  /** What has turned up to be wrong, each naming its JAR. */
  public List<Diagnostic> issues() {
    return host.issues().stream().map(PluginIssue::diagnostic).toList();
  }

  /** The same with what is known of each JAR. */
  public List<PluginIssue> brokenJars() {
    return host.issues();
  }

  /** All extensions, by plugin, kind and name; what cannot be constructed is left out, and told. */
  public List<Extension<?>> extensions() {
    List<Extension<?>> all = new ArrayList<>(usable(Plugin.class, host.started()));
    all.sort(ORDER);
    return all;
  }

  /** The extensions of one type, by name; what cannot be constructed is left out, and told. */
  public <T extends Plugin> List<Extension<T>> extensions(Class<T> point) {
    List<Extension<T>> all = usable(point, host.started());
    all.sort(Comparator.comparing(Extension::name));
    return all;
  }

  /**
   * The extension called {@code name}.
   *
   * @param kind what it is, for messages: {@code exporter}
   * @param source where the name was given, for messages
   * @throws WorkException if there is none, and a JAR that cannot be used is likely to hold it
   * @throws InputException if there is none; the message lists those there are
   */
  public <T extends Plugin> Extension<T> find(
      Class<T> point, String kind, String source, String name) {
    return called(point, name)
        .findFirst()
        .orElseThrow(() -> missing(kind, source, name, names(point)));
  }

  /**
   * The extensions of the plugin with the id {@code name}, or else those called {@code name}.
   *
   * @param source where the name was given, for messages
   * @throws WorkException if there are none, and a JAR that cannot be used is likely to hold them
   * @throws InputException if there are none; the message lists the ids there are
   */
  public List<Extension<?>> named(String source, String name) {
    List<PluginWrapper> ids =
        host.started().stream().filter(plugin -> plugin.getPluginId().equals(name)).toList();
    List<Extension<?>> found = new ArrayList<>(usable(Plugin.class, ids));
    if (found.isEmpty()) {
      found.addAll(called(Plugin.class, name).toList());
    }
    if (found.isEmpty()) {
      throw missing("plugin", source, name, loaded().stream().map(LoadedPlugin::id).toList());
    }
    found.sort(ORDER);
    return found;
  }

  /** The plugin whose JAR says that it gives an extension of this name and one of these kinds. */
  Optional<LoadedPlugin> giver(String name, List<ExtensionKind> kinds) {
    return host.started().stream()
        .filter(plugin -> gives(plugin, name))
        .filter(
            plugin ->
                types(plugin, Plugin.class).stream()
                    .anyMatch(type -> !Collections.disjoint(ExtensionKind.of(type), kinds)))
        .findFirst()
        .map(LoadedPlugin::of);
  }

  /** Extensions of that name: one whose manifest says so goes before those that say nothing. */
  private <T extends Plugin> Stream<Extension<T>> called(Class<T> point, String name) {
    Stream<PluginWrapper> sayingSo = host.started().stream().filter(each -> gives(each, name));
    Stream<PluginWrapper> silent =
        host.started().stream().filter(each -> !gives(each, name) && provides(each).isEmpty());
    return Stream.concat(sayingSo, silent)
        .flatMap(
            plugin ->
                types(plugin, point).stream()
                    .flatMap(type -> made(point, plugin, type, host::note).stream()))
        .filter(extension -> extension.name().equals(name));
  }

  private <T extends Plugin> List<Extension<T>> usable(
      Class<T> point, List<PluginWrapper> plugins) {
    List<Extension<T>> all = new ArrayList<>();
    for (PluginWrapper plugin : plugins) {
      for (Class<? extends T> type : types(plugin, point)) {
        made(point, plugin, type, host::report).ifPresent(all::add);
      }
    }
    return all;
  }

  /** The extension of a class, constructed now unless it has been; what is wrong is taken down. */
  private <T extends Plugin> Optional<Extension<T>> made(
      Class<T> point, PluginWrapper plugin, Class<?> type, Consumer<PluginIssue> wrong) {
    try {
      ExtensionMaker.Made made = host.maker().make(type);
      Extension<T> extension =
          new Extension<>(made.name(), point.cast(made.instance()), LoadedPlugin.of(plugin));
      requireNew(plugin, type, extension);
      return Optional.of(extension);
    } catch (PluginRefused refused) {
      if (host.maker().refuse(type, refused)) {
        wrong.accept(PluginIssue.error(plugin.getPluginPath(), refused));
        host.giveUpIfUseless(plugin, refused);
      }
      return Optional.empty();
    }
  }

  /** Refuses a name that an extension before it has, where both are of one kind. */
  private void requireNew(PluginWrapper plugin, Class<?> type, Extension<?> extension) {
    for (PluginWrapper other : host.started()) {
      for (Class<?> before : types(other, Plugin.class)) {
        if (before == type) {
          return;
        }
        if (surely(other, before).filter(extension.name()::equals).isPresent()
            && !Collections.disjoint(ExtensionKind.of(before), extension.kinds())) {
          throw other.equals(plugin)
              ? new PluginRefused(
                  "two of its extensions are called '" + extension.name() + "'",
                  "Report it to the author of the plugin.")
              : new PluginRefused(
                  "'" + extension.name() + "' is already given by " + LoadedPlugin.of(other),
                  "Remove one of the two.");
        }
      }
    }
  }

  private <T extends Plugin> List<Class<? extends T>> types(PluginWrapper plugin, Class<T> point) {
    return host.getExtensionClasses(point, plugin.getPluginId());
  }

  /** The name of an extension class, if that is known without constructing it. */
  private Optional<String> surely(PluginWrapper plugin, Class<?> type) {
    ExtensionMaker.@Nullable Made made = host.maker().ifMade(type);
    if (made != null) {
      return Optional.of(made.name());
    }
    List<String> provides = provides(plugin);
    return provides.size() == 1 ? Optional.of(provides.get(0)) : Optional.empty();
  }

  /** The names that an extension class may have. */
  private List<String> possibly(PluginWrapper plugin, Class<?> type) {
    List<String> provides = provides(plugin);
    return surely(plugin, type)
        .map(List::of)
        .orElse(provides.isEmpty() ? List.of(plugin.getPluginId()) : provides);
  }

  private static List<String> provides(PluginWrapper plugin) {
    return ((ManifestFinder.Descriptor) plugin.getDescriptor()).provides();
  }

  private static boolean gives(PluginWrapper plugin, String name) {
    return plugin.getPluginId().equals(name) || provides(plugin).contains(name);
  }

  private String title(PluginWrapper plugin, Class<?> type) {
    return ExtensionKind.of(type).stream()
            .map(ExtensionKind::text)
            .collect(Collectors.joining(" and "))
        + " "
        + String.join(" or ", possibly(plugin, type));
  }

  private <T extends Plugin> List<String> names(Class<T> point) {
    return host.started().stream()
        .flatMap(
            plugin ->
                types(plugin, point).stream().flatMap(type -> possibly(plugin, type).stream()))
        .distinct()
        .sorted()
        .toList();
  }

  private RuntimeException missing(String kind, String source, String name, List<String> names) {
    Optional<PluginIssue> broken =
        host.issues().stream().filter(i -> i.mayConcern(name)).findFirst();
    if (broken.isPresent()) {
      Diagnostic why = broken.get().diagnostic();
      return new WorkException(
          source,
          kind + " '" + name + "' is not there, since " + why.source() + ": " + why.message(),
          why.remedy());
    }
    return new InputException(
        source,
        "there is no " + kind + " '" + name + "'",
        names.isEmpty()
            ? "No plugin gives any: name a folder with plugins by --plugins."
            : "There are: " + String.join(", ", names) + ".");
  }

  @Override
  public void close() {
    host.unloadPlugins();
  }
}
