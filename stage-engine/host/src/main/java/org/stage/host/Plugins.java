package org.stage.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pf4j.PluginClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Plugin;

/** The outcome of loading: what there is, and what went wrong. Closing it closes the JARs. */
public final class Plugins implements AutoCloseable {
  private static final Comparator<Extension<?>> ORDER =
      Comparator.comparing((Extension<?> extension) -> extension.plugin().id())
          .thenComparing(extension -> extension.kinds().get(0))
          .thenComparing(Extension::name);

  private final List<LoadedPlugin> loaded;
  private final List<Extension<?>> extensions;
  private final List<PluginIssue> issues;
  private final List<PluginClassLoader> loaders;

  Plugins(
      List<LoadedPlugin> loaded,
      List<Extension<?>> extensions,
      List<PluginIssue> issues,
      List<PluginClassLoader> loaders) {
    this.loaded = loaded.stream().sorted(Comparator.comparing(LoadedPlugin::id)).toList();
    this.extensions = extensions.stream().sorted(ORDER).toList();
    this.issues = List.copyOf(issues);
    this.loaders = List.copyOf(loaders);
  }

  /** The plugins of which at least one extension can be used, by id. */
  public List<LoadedPlugin> loaded() {
    return loaded;
  }

  /** What went wrong, each naming its JAR. */
  public List<Diagnostic> issues() {
    return issues.stream().map(PluginIssue::diagnostic).toList();
  }

  /** The same with what is known of each JAR. */
  public List<PluginIssue> brokenJars() {
    return issues;
  }

  /** All extensions, by plugin, kind and name. */
  public List<Extension<?>> extensions() {
    return extensions;
  }

  /** The extensions of one type, by name. */
  public <T extends Plugin> List<Extension<T>> extensions(Class<T> point) {
    List<Extension<T>> found = new ArrayList<>();
    for (Extension<?> extension : extensions) {
      if (point.isInstance(extension.instance())) {
        T instance = point.cast(extension.instance());
        found.add(new Extension<>(extension.name(), instance, extension.plugin()));
      }
    }
    found.sort(Comparator.comparing(Extension::name));
    return found;
  }

  /**
   * The extension called {@code name}.
   *
   * @param kind what it is, for messages: {@code exporter}
   * @param source where the name was given, for messages
   * @throws WorkException if there is none, and a JAR that could not be loaded is likely to hold it
   * @throws InputException if there is none; the message lists those there are
   */
  public <T extends Plugin> Extension<T> find(
      Class<T> point, String kind, String source, String name) {
    List<Extension<T>> all = extensions(point);
    return all.stream()
        .filter(extension -> extension.name().equals(name))
        .findFirst()
        .orElseThrow(() -> missing(kind, source, name, all.stream().map(Extension::name).toList()));
  }

  /**
   * The extensions of the plugin with the id {@code name}, or else those called {@code name}.
   *
   * @param source where the name was given, for messages
   * @throws WorkException if there are none, and a JAR that could not be loaded is likely to hold
   *     them
   * @throws InputException if there are none; the message lists the ids there are
   */
  public List<Extension<?>> named(String source, String name) {
    List<Extension<?>> byId =
        extensions.stream().filter(extension -> extension.plugin().id().equals(name)).toList();
    List<Extension<?>> found =
        byId.isEmpty()
            ? extensions.stream().filter(extension -> extension.name().equals(name)).toList()
            : byId;
    if (found.isEmpty()) {
      throw missing("plugin", source, name, loaded.stream().map(LoadedPlugin::id).toList());
    }
    return found;
  }

  private RuntimeException missing(String kind, String source, String name, List<String> names) {
    Optional<PluginIssue> broken = issues.stream().filter(i -> i.mayConcern(name)).findFirst();
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
    for (PluginClassLoader loader : loaders) {
      try {
        loader.close();
      } catch (IOException e) {
        // nothing was written through it, so nothing is lost
        logger().debug("closing a plugin: {}", Failures.text(e));
      }
    }
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(Plugins.class);
  }
}
