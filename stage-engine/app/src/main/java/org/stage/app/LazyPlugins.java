package org.stage.app;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.host.PluginHost;
import org.stage.host.Plugins;

/** Plugins that are loaded when they are first needed: many runs need none, and loading is slow. */
final class LazyPlugins implements AutoCloseable {
  private final Supplier<List<Path>> folders;
  private final boolean strict;
  private final Listener listener;
  private @Nullable Plugins loaded;

  LazyPlugins(Supplier<List<Path>> folders, boolean strict, Listener listener) {
    this.folders = folders;
    this.strict = strict;
    this.listener = listener;
  }

  /** The plugins; the first time, the listener is told what is wrong with any. */
  Plugins get() {
    Plugins plugins = loaded;
    if (plugins == null) {
      plugins = load();
      loaded = plugins;
    }
    return plugins;
  }

  private Plugins load() {
    Plugins plugins = PluginHost.load(folders.get());
    for (Diagnostic issue : plugins.issues()) {
      // as long as the work goes on without the plugin, nothing has failed
      Severity severity = strict ? Severity.ERROR : Severity.WARNING;
      listener.say(new Diagnostic(severity, issue.source(), issue.message(), issue.remedy()));
    }
    if (strict && !plugins.issues().isEmpty()) {
      plugins.close();
      throw new InputException(
          "--strict-plugins",
          "something is wrong with plugins",
          "Mend what is said above, or run without --strict-plugins.");
    }
    return plugins;
  }

  @Override
  public void close() {
    if (loaded != null) {
      loaded.close();
    }
  }
}
