package org.stage.app;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.host.PluginIssue;
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
    Plugins plugins = Plugins.load(folders.get(), this::tell);
    if (strict && !plugins.issues().isEmpty()) {
      plugins.close();
      throw refusal();
    }
    return plugins;
  }

  /** Tells what is wrong with a JAR: when it is loaded, or when what it gives is asked for. */
  private void tell(PluginIssue wrong) {
    // as long as the work goes on without the plugin, nothing has failed
    Severity severity = strict ? Severity.ERROR : Severity.WARNING;
    Diagnostic issue = wrong.diagnostic();
    listener.say(new Diagnostic(severity, issue.source(), issue.message(), issue.remedy()));
    if (strict && loaded != null) {
      throw refusal();
    }
  }

  private static InputException refusal() {
    return new InputException(
        "--strict-plugins",
        "something is wrong with plugins",
        "Mend what is said above, or run without --strict-plugins.");
  }

  @Override
  public void close() {
    if (loaded != null) {
      loaded.close();
    }
  }
}
