package org.stage.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLConnection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pf4j.IndexedExtensionFinder;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginManager;
import org.pf4j.processor.ExtensionStorage;
import org.stage.api.plugin.ApiVersion;

/**
 * Finds extensions in the index of a plugin's JAR. Only classes that were {@link #check checked}
 * are found: PF4J's own finder logs a class that is missing and passes on other linkage errors,
 * whichever plugin was asked for, and adds what the class path of the application lists.
 */
final class ExtensionClasses extends IndexedExtensionFinder {
  private static final String OTHER_API =
      "Install a plugin built for stage-api " + ApiVersion.current() + ".";
  private static final String REMEDY =
      "Build it with the plugin parent, and mark each extension with @Extension.";

  /** A list of a thousand long names; a larger one is no such list, but may be a zip bomb. */
  private static final int MAX_BYTES = 1 << 17;

  private final Map<String, Set<String>> checked = new HashMap<>();

  ExtensionClasses(PluginManager manager) {
    super(manager);
  }

  @Override
  public Map<String, Set<String>> readClasspathStorages() {
    return Map.of();
  }

  @Override
  public Map<String, Set<String>> readPluginsStorages() {
    return new LinkedHashMap<>(checked);
  }

  /** The names of the extension classes of a plugin, read from its own JAR and nowhere else. */
  static Set<String> index(PluginClassLoader loader) {
    @Nullable URL url = loader.findResource(EXTENSIONS_RESOURCE);
    if (url == null) {
      throw new PluginRefused("it has no " + EXTENSIONS_RESOURCE, REMEDY);
    }
    Set<String> names = new LinkedHashSet<>();
    try {
      ExtensionStorage.read(new StringReader(text(url)), names);
    } catch (PluginRefused refused) {
      throw refused;
    } catch (IOException | RuntimeException e) {
      throw new PluginRefused(
          "its " + EXTENSIONS_RESOURCE + " cannot be read: " + Failures.text(e),
          "Copy or build it again.",
          e);
    }
    if (names.isEmpty()) {
      throw new PluginRefused("its " + EXTENSIONS_RESOURCE + " names no extension", REMEDY);
    }
    return names;
  }

  private static String text(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    // the cache of the JDK would keep the JAR open, and its old content after a replacement
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new PluginRefused(
            "its " + EXTENSIONS_RESOURCE + " is larger than " + (MAX_BYTES >> 10) + " KB", REMEDY);
      }
      return new String(bytes, UTF_8);
    }
  }

  /** Loads an extension class without running any of it, and checks what would fail later. */
  void check(String pluginId, String className, ClassLoader loader) {
    Class<?> type;
    try {
      type = Class.forName(className, false, loader);
      requireSound(className, type, loader);
    } catch (PluginRefused refused) {
      throw refused;
    } catch (Exception | LinkageError | StackOverflowError e) {
      throw ExtensionMaker.broken(className, "cannot be loaded", e);
    }
    checked.computeIfAbsent(pluginId, id -> new LinkedHashSet<>()).add(className);
  }

  /** No longer finds the classes of a plugin. */
  void forget(String pluginId) {
    checked.remove(pluginId);
  }

  private static void requireSound(String className, Class<?> type, ClassLoader loader) {
    if (type.getClassLoader() != loader) {
      throw ExtensionMaker.faulty(className, " is named as an extension but is not in the JAR");
    }
    if (ExtensionKind.of(type).isEmpty()) {
      throw new PluginRefused(
          className + " implements no extension point of this version", OTHER_API);
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      throw ExtensionMaker.faulty(
          className, type.isInterface() ? " is an interface" : " is abstract");
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      throw ExtensionMaker.faulty(className, " is not public");
    }
    if (Arrays.stream(type.getConstructors()).noneMatch(c -> c.getParameterCount() == 0)) {
      throw ExtensionMaker.faulty(className, " has no public constructor without parameters");
    }
    // a class compiled against an older API loads, and fails only when the method is called
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        throw new PluginRefused(
            className + " does not implement " + method.getName() + "() of this version",
            OTHER_API);
      }
    }
  }
}
