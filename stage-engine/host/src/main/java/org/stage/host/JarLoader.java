package org.stage.host;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pf4j.ClassLoadingStrategy;
import org.pf4j.ClassLoadingStrategy.Source;
import org.pf4j.JarPluginLoader;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginManager;

/**
 * Makes the class loaders of plugins, by Trino's rule: the API and what its signatures name come
 * from the host, everything else from the plugin's JAR, then from the platform. PF4J's own loader
 * has the application's class path as parent; here that is out of sight, so a plugin can neither
 * break on the host's libraries, nor come to rely on them, nor take the host's index for its own.
 */
final class JarLoader extends JarPluginLoader {
  private static final List<String> SHARED =
      List.of("org.stage.api.", "org.pf4j.", "org.slf4j.", "org.jspecify.");

  private static final ClassLoadingStrategy PLUGIN_THEN_PARENT =
      new ClassLoadingStrategy(List.of(Source.PLUGIN, Source.APPLICATION));

  JarLoader(PluginManager manager) {
    super(manager);
  }

  @Override
  protected PluginClassLoader createPluginClassLoader(Path jar, PluginDescriptor descriptor) {
    return new PluginClassLoader(pluginManager, descriptor, new SharedOnly(), PLUGIN_THEN_PARENT) {
      @Override
      protected boolean shouldDelegateToParent(String className) {
        return isShared(className);
      }
    };
  }

  private static boolean isShared(String className) {
    return SHARED.stream().anyMatch(className::startsWith);
  }

  /**
   * Shows the shared packages of the host, and the platform. Resources come from the platform only.
   */
  private static final class SharedOnly extends ClassLoader {
    private static final @Nullable ClassLoader HOST = JarLoader.class.getClassLoader();

    SharedOnly() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return isShared(name) ? Class.forName(name, false, HOST) : super.loadClass(name, resolve);
    }
  }
}
