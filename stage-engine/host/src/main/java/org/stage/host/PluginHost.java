package org.stage.host;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
   * newest version that loads is taken; of equal versions the one of the earlier directory. Of two
   * plugins that give one name, that of the earlier directory has it.
   *
   * @throws InputException if one of the directories is not there
   */
  public static Plugins load(List<Path> directories) {
    return load(directories, ApiVersion.current());
  }

  static Plugins load(List<Path> directories, String apiVersion) {
    return loadJars(
        directories.stream().flatMap(directory -> jars(directory).stream()).toList(), apiVersion);
  }

  /** Loads these JARs, whatever they are called. */
  static Plugins loadJars(List<Path> jars, String apiVersion) {
    PluginHost host = new PluginHost(apiVersion);
    List<PluginManifest> manifests = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    for (Path jar : jars) {
      // a folder may be named twice, or by a link
      if (seen.add(real(jar))) {
        host.readManifest(jar, manifests);
      }
    }
    // the order in which ids were met decides who has a name that two give: the earlier directory
    Map<String, List<PluginManifest>> groups = new LinkedHashMap<>();
    for (PluginManifest manifest : manifests) {
      groups.computeIfAbsent(manifest.id(), id -> new ArrayList<>()).add(manifest);
    }
    for (List<PluginManifest> group : groups.values()) {
      // stable: among equal versions, the order of directories and names stays
      group.sort(PluginManifest::newestFirst);
      group.forEach(host::loadGuarded);
    }
    return new Plugins(List.copyOf(host.byId.values()), host.extensions, host.issues, host.loaders);
  }

  private static Path real(Path jar) {
    try {
      return jar.toRealPath();
    } catch (IOException e) {
      // reading it will say why
      return jar;
    }
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
      issues.add(PluginIssue.error(jar, ManifestFile.names(jar), refused));
    }
  }

  private void loadGuarded(PluginManifest manifest) {
    @Nullable LoadedPlugin taken = byId.get(manifest.id());
    if (taken != null) {
      issues.add(
          PluginIssue.warning(
              manifest.jar(),
              manifest.names(),
              "not loaded, since " + taken + " has the same id",
              "Remove one of the two."));
      return;
    }
    try {
      load(manifest);
    } catch (PluginRefused refused) {
      issues.add(PluginIssue.error(manifest.jar(), manifest.names(), refused));
    } catch (RuntimeException | LinkageError e) {
      // nothing that stands in a JAR may keep the others from being loaded
      PluginRefused refused =
          new PluginRefused(
              "it cannot be loaded: " + Failures.text(e), "Copy or build it again.", e);
      issues.add(PluginIssue.error(manifest.jar(), manifest.names(), refused));
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
    warnOfBundledApi(loader, plugin, manifest.names());
    int before = extensions.size();
    for (String className : ExtensionIndex.read(loader)) {
      addExtension(className, loader, plugin, manifest.names());
    }
    if (extensions.size() > before) {
      byId.put(plugin.id(), plugin);
    }
  }

  private void addExtension(
      String className, PluginClassLoader loader, LoadedPlugin plugin, List<String> names) {
    try {
      Plugin instance = ExtensionLoader.load(className, loader);
      String name = ExtensionLoader.name(instance, plugin.toString());
      Extension<?> extension = new Extension<>(name, instance, plugin);
      requireNew(extension);
      extensions.add(extension);
    } catch (PluginRefused refused) {
      issues.add(PluginIssue.error(plugin.jar(), names, refused));
    }
  }

  private void requireNew(Extension<?> extension) throws PluginRefused {
    for (Extension<?> other : extensions) {
      if (other.name().equals(extension.name())
          && !Collections.disjoint(other.kinds(), extension.kinds())) {
        throw other.plugin().equals(extension.plugin())
            ? new PluginRefused(
                "two of its extensions are called '" + extension.name() + "'",
                "Report it to the author of the plugin.")
            : new PluginRefused(
                "'" + extension.name() + "' is already given by " + other.plugin(),
                "Remove one of the two.");
      }
    }
  }

  private void warnOfBundledApi(PluginClassLoader loader, LoadedPlugin plugin, List<String> names) {
    if (loader.findResource("org/stage/api/plugin/Plugin.class") != null) {
      issues.add(
          PluginIssue.warning(
              plugin.jar(),
              names,
              "it bundles stage-api, which is ignored: the host's is used",
              "Build it with the plugin parent, which leaves stage-api out."));
    }
  }
}
