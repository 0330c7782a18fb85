package org.stage.host;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.stage.api.plugin.ApiVersion;
import org.stage.api.plugin.Plugin;

/** Makes one extension from the name of its class, checking everything that would fail later. */
final class ExtensionLoader {
  private static final String OTHER_API =
      "Install a plugin built for stage-api " + ApiVersion.current() + ".";
  private static final int MAX_NAME = 40;
  private static final String BUNDLE =
      "It was built without a library that it needs, or for another stage-api: build it with the"
          + " plugin parent, or report it to its author.";
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
      throw broken(className, "throws in its constructor", thrown == null ? e : thrown);
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      throw broken(className, "cannot be loaded", e);
    }
  }

  /** The name of an extension. */
  static String name(Plugin extension, String source) throws PluginRefused {
    String name;
    try {
      name = Guard.call(source, "name()", extension.getClass().getClassLoader(), extension::name);
    } catch (RuntimeException e) {
      @Nullable Throwable thrown = e.getCause();
      throw thrown == null
          ? new PluginRefused(extension.getClass().getName() + " has no name", REPORT)
          : broken(extension.getClass().getName(), "throws in name()", thrown);
    }
    if (name.length() > MAX_NAME || !name.matches("[a-z][a-z0-9.-]*")) {
      throw new PluginRefused(
          extension.getClass().getName()
              + " calls itself '"
              + name.substring(0, Math.min(name.length(), MAX_NAME))
              + "'; a name is up to "
              + MAX_NAME
              + " lower case letters, digits and dashes",
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
    if (!ExtensionKind.anyIs(type)) {
      throw new PluginRefused(
          className + " implements no extension point of this version", OTHER_API);
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new PluginRefused(
          className + (type.isInterface() ? " is an interface" : " is abstract"), REPORT);
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      throw new PluginRefused(className + " is not public", REPORT);
    }
    if (Arrays.stream(type.getConstructors()).noneMatch(c -> c.getParameterCount() == 0)) {
      throw new PluginRefused(className + " has no public constructor without parameters", REPORT);
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

  private static PluginRefused broken(String className, String how, Throwable e) {
    Guard.rethrowIfFatal(e);
    if (e instanceof UnsupportedClassVersionError) {
      // the JDK's own text speaks of class file versions 61.0 and 65.0
      return new PluginRefused(
          className + " was compiled for a newer Java than " + Runtime.version().feature(),
          "Run STAGE with a newer Java, or build the plugin for an older one.",
          e);
    }
    if (e instanceof ExceptionInInitializerError && e.getCause() != null) {
      return new PluginRefused(
          className + " throws in its static initialiser: " + Failures.text(e.getCause()),
          REPORT,
          e);
    }
    if (e instanceof ClassNotFoundException || e instanceof NoClassDefFoundError) {
      String missing = String.valueOf(e.getMessage()).replace('/', '.');
      return missing.equals(className)
          ? new PluginRefused(className + " is named as an extension but is not in the JAR", REPORT)
          : new PluginRefused(
              className + " " + how + ": class " + missing + " is missing", BUNDLE, e);
    }
    return new PluginRefused(className + " " + how + ": " + Failures.text(e), REPORT, e);
  }
}
