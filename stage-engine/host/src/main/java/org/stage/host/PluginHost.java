package org.stage.host;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginClassLoader;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ApiVersion;
import org.stage.api.plugin.Plugin;

/**
 * Loads plugins. PF4J's own manager is not used: seven kinds of bad JAR stop it from loading any.
 * Here each JAR is loaded by itself, and what is wrong with it becomes a value.
 */
public final class PluginHost {
  private final String apiVersion;
  private final List<Extension<?>> extensions = new ArrayList<>();
  private final List<PluginClassLoader> loaders = new ArrayList<>();
  private final List<PluginIssue> issues = new ArrayList<>();
  private final Map<String, LoadedPlugin> byId = new HashMap<>();

  private PluginHost(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  /**
   * Loads the JARs that stand directly in {@code directories}. Of several with the same id the
   * newest version that loads is taken; of equal versions the one of the earlier directory.
   *
   * @throws InputException if one of the directories is not there
   */
  public static Plugins load(List<Path> directories) {
    return load(directories, ApiVersion.current());
  }

  static Plugins load(List<Path> directories, String apiVersion) {
    PluginHost host = new PluginHost(apiVersion);
    List<PluginManifest> manifests = new ArrayList<>();
    for (Path directory : directories) {
      jars(directory).forEach(jar -> host.readManifest(jar, manifests));
    }
    // stable: among equals, the order of directories and names stays
    manifests.sort(
        Comparator.comparing(PluginManifest::id).thenComparing(PluginManifest::newestFirst));
    manifests.forEach(host::loadGuarded);
    return new Plugins(List.copyOf(host.byId.values()), host.extensions, host.issues, host.loaders);
  }

  private static List<Path> jars(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> LoadedPlugin.fileName(file).endsWith(".jar"))
          .sorted(Comparator.comparing(LoadedPlugin::fileName))
          .toList();
    } catch (IOException e) {
      throw new InputException(
          "plugin folder", Failures.text(e), "Name a folder that holds plugin JARs.");
    }
  }

  private void readManifest(Path jar, List<PluginManifest> manifests) {
    try {
      manifests.add(PluginManifest.read(jar, apiVersion));
    } catch (PluginRefused refused) {
      issues.add(PluginIssue.error(jar, "", refused));
    }
  }

  private void loadGuarded(PluginManifest manifest) {
    @Nullable LoadedPlugin taken = byId.get(manifest.id());
    if (taken != null) {
      issues.add(
          PluginIssue.warning(
              manifest.jar(),
              manifest.id(),
              "not loaded, since " + taken + " has the same id",
              "Remove one of the two."));
      return;
    }
    try {
      load(manifest);
    } catch (PluginRefused refused) {
      issues.add(PluginIssue.error(manifest.jar(), manifest.id(), refused));
    }
  }

  private void load(PluginManifest manifest) throws PluginRefused {
    PluginClassLoader loader;
    try {
      loader = PluginLoaders.of(manifest.descriptor(), manifest.jar().toUri().toURL());
    } catch (MalformedURLException e) {
      throw new PluginRefused("its path is not a URL: " + Failures.text(e), "Move it.", e);
    }
    loaders.add(loader);
    LoadedPlugin plugin =
        new LoadedPlugin(
            manifest.id(),
            manifest.version(),
            manifest.descriptor().getPluginDescription(),
            manifest.jar());
    int before = extensions.size();
    for (String className : ExtensionIndex.read(loader)) {
      addExtension(className, loader, plugin);
    }
    if (extensions.size() > before) {
      byId.put(plugin.id(), plugin);
    }
  }

  private void addExtension(String className, PluginClassLoader loader, LoadedPlugin plugin) {
    try {
      Plugin instance = ExtensionLoader.load(className, loader);
      String name = ExtensionLoader.name(instance, plugin.toString());
      Extension<?> extension = new Extension<>(name, instance, plugin);
      for (Extension<?> other : extensions) {
        if (other.name().equals(name) && sharesPoint(other.instance(), instance)) {
          throw new PluginRefused(
              "'" + name + "' is already given by " + other.plugin(), "Remove one of the two.");
        }
      }
      extensions.add(extension);
    } catch (PluginRefused refused) {
      issues.add(PluginIssue.error(plugin.jar(), plugin.id(), refused));
    }
  }

  private static boolean sharesPoint(Plugin one, Plugin other) {
    return ExtensionLoader.POINTS.stream()
        .anyMatch(point -> point.isInstance(one) && point.isInstance(other));
  }
}
