package org.stage.host;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.stage.api.plugin.ApiVersion;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.ModelImporter;
import org.stage.api.plugin.Plugin;
import org.stage.api.plugin.TraceValidator;

/** Makes one extension from the name of its class, checking everything that would fail later. */
final class ExtensionLoader {
  /** The extension points of this version. */
  static final List<Class<? extends Plugin>> POINTS =
      List.of(Exporter.class, TraceValidator.class, ModelImporter.class);

  private static final String OTHER_API =
      "Install a plugin built for stage-api " + ApiVersion.current() + ".";
  private static final String REPORT = "Report it to the author of the plugin.";

  private ExtensionLoader() {}

  /** Loads, checks and constructs the extension {@code className} of a plugin. */
  static Plugin load(String className, ClassLoader loader) throws PluginRefused {
    try {
      return construct(checked(className, loader));
    } catch (PluginRefused refused) {
      throw refused;
    } catch (InvocationTargetException e) {
      @Nullable Throwable thrown = e.getCause();
      throw broken(className, thrown == null ? e : thrown);
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      throw broken(className, e);
    }
  }

  /** The name of an extension. */
  static String name(Plugin extension, String source) throws PluginRefused {
    String name;
    try {
      name = Guard.call(source, "name()", extension.getClass().getClassLoader(), extension::name);
    } catch (RuntimeException e) {
      throw broken(extension.getClass().getName(), e);
    }
    if (!name.matches("[a-z][a-z0-9.-]*")) {
      throw new PluginRefused(
          extension.getClass().getName()
              + " calls itself '"
              + name
              + "'; names are lower case letters, digits and dashes",
          REPORT);
    }
    return name;
  }

  private static Class<? extends Plugin> checked(String className, ClassLoader loader)
      throws PluginRefused, ClassNotFoundException {
    Class<?> type = Class.forName(className, false, loader);
    if (type.getClassLoader() != loader) {
      throw new PluginRefused(
          className + " is named as an extension but is not in the JAR", REPORT);
    }
    if (POINTS.stream().noneMatch(point -> point.isAssignableFrom(type))) {
      throw new PluginRefused(
          className + " implements no extension point of this version", OTHER_API);
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new PluginRefused(className + " is abstract", REPORT);
    }
    // a class compiled against an older API loads, and fails only when the method is called
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        throw new PluginRefused(
            className + " does not implement " + method.getName() + "() of this version",
            OTHER_API);
      }
    }
    return type.asSubclass(Plugin.class);
  }

  private static Plugin construct(Class<? extends Plugin> type)
      throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(type.getClassLoader());
    try {
      return type.getConstructor().newInstance();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static PluginRefused broken(String className, Throwable e) {
    Guard.rethrowIfFatal(e);
    return new PluginRefused(
        className + " cannot be loaded: " + Failures.text(e),
        e instanceof UnsupportedClassVersionError ? "Run STAGE with a newer Java." : REPORT,
        e);
  }
}
