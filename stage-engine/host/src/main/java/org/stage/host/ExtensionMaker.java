package org.stage.host;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.pf4j.ExtensionFactory;
import org.pf4j.PluginManager;
import org.stage.api.plugin.Plugin;

/**
 * Constructs an extension when it is first asked for, once. The first lines of a plugin that run
 * are those of its static blocks and its constructor, so this is where it can throw anything or
 * never return: each runs on a thread of its own, with a limit, and what goes wrong names the
 * class.
 */
final class ExtensionMaker implements ExtensionFactory {
  private static final String BUNDLE =
      "It was built without a library that it needs, or for another stage-api: build it with the"
          + " plugin parent, or report it to its author.";
  private static final String REPORT = "Report it to the author of the plugin.";
  private static final int MAX_NAME = 40;

  /** Built-in plugins take milliseconds; one that unpacks a native library takes a second. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final PluginManager manager;
  private final Duration limit;
  private final Map<Class<?>, Made> made = new HashMap<>();
  private final Map<Class<?>, PluginRefused> refused = new HashMap<>();

  /**
   * An extension.
   *
   * @param instance the object
   * @param name what it calls itself
   */
  record Made(Plugin instance, String name) {}

  ExtensionMaker(PluginManager manager) {
    this(manager, LIMIT);
  }

  ExtensionMaker(PluginManager manager, Duration limit) {
    this.manager = manager;
    this.limit = limit;
  }

  @Override
  public <T> T create(Class<T> type) {
    return type.cast(make(type).instance());
  }

  /**
   * The extension of a class with its name.
   *
   * @throws PluginRefused if it cannot be used; it is not tried again
   */
  Made make(Class<?> type) {
    @Nullable PluginRefused known = refused.get(type);
    if (known != null) {
      throw known;
    }
    @Nullable Made before = made.get(type);
    if (before != null) {
      return before;
    }
    Made now = limited(type);
    made.put(type, now);
    return now;
  }

  /** Never gives the extension of a class; returns whether that is news. */
  boolean refuse(Class<?> type, PluginRefused why) {
    return refused.put(type, why) == null;
  }

  /** Whether the extension of a class cannot be used. */
  boolean isRefused(Class<?> type) {
    return refused.containsKey(type);
  }

  /** The extension of a class if it has been made. */
  @Nullable Made ifMade(Class<?> type) {
    return made.get(type);
  }

  /** Lets go of a class, which takes with it what its static fields hold. */
  void forget(Class<?> type) {
    made.remove(type);
    refused.remove(type);
  }

  private Made limited(Class<?> type) {
    String culprit = LoadedPlugin.of(manager.whichPlugin(type)).toString();
    FutureTask<Made> task =
        new FutureTask<>(() -> construct(culprit, type.asSubclass(Plugin.class)));
    Thread thread = new Thread(task, culprit);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      PluginCalls.abandon(thread);
      throw faulty(
          type.getName(),
          " does not return from its constructor within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw faulty(type.getName(), " was interrupted in its constructor");
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      throw cause instanceof PluginRefused why ? why : broken(type.getName(), "fails", e);
    }
  }

  private static Made construct(String culprit, Class<? extends Plugin> type) {
    String className = type.getName();
    Thread.currentThread().setContextClassLoader(type.getClassLoader());
    PluginCalls.Call call = PluginCalls.enter(culprit, "its constructor");
    try {
      Plugin instance = type.getConstructor().newInstance();
      call.goOn("name()");
      return new Made(instance, name(className, instance));
    } catch (PluginRefused known) {
      throw known;
    } catch (InvocationTargetException e) {
      @Nullable Throwable thrown = e.getCause();
      if (thrown instanceof OutOfMemoryError) {
        Guard.useReserve();
      }
      throw broken(className, "throws in its constructor", thrown == null ? e : thrown);
    } catch (OutOfMemoryError e) {
      Guard.useReserve();
      throw broken(className, "cannot be used", e);
    } catch (Throwable e) {
      throw broken(className, "cannot be used", e);
    } finally {
      call.close();
    }
  }

  private static String name(String className, Plugin instance) {
    @Nullable String name;
    try {
      name = instance.name();
    } catch (Throwable e) {
      throw broken(className, "throws in name()", e);
    }
    if (name == null) {
      throw faulty(className, " has no name");
    }
    if (name.length() > MAX_NAME || !name.matches("[a-z][a-z0-9.-]*")) {
      throw faulty(
          className,
          " calls itself '"
              + name.substring(0, Math.min(name.length(), MAX_NAME)).replaceAll("\\s", " ")
              + "'; a name is up to "
              + MAX_NAME
              + " lower case letters, digits and dashes");
    }
    return name;
  }

  /** A fault that only the plugin's author can mend. */
  static PluginRefused faulty(String className, String what) {
    return new PluginRefused(className + what, REPORT);
  }

  /** What a class has thrown when it was loaded or constructed. */
  static PluginRefused broken(String className, String how, Throwable e) {
    if (e instanceof UnsupportedClassVersionError) {
      // the JDK's own text speaks of class file versions 61.0 and 65.0
      return new PluginRefused(
          className + " was compiled for a newer Java than " + Runtime.version().feature(),
          "Run STAGE with a newer Java, or build the plugin for an older one.",
          e);
    }
    if (e instanceof OutOfMemoryError) {
      return new PluginRefused(
          className + " " + how + ": " + Guard.outOfMemory(), Guard.MORE_MEMORY, e);
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
          ? faulty(className, " is named as an extension but is not in the JAR")
          : new PluginRefused(
              className + " " + how + ": class " + missing + " is missing", BUNDLE, e);
    }
    return new PluginRefused(className + " " + how + ": " + Failures.text(e), REPORT, e);
  }
}
