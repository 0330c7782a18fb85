package org.stage.cli;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.stage.host.Plugins;

/** Plugins that are loaded when they are first needed: many runs need none, and loading is slow. */
final class LazyPlugins implements AutoCloseable {
  private final Supplier<Plugins> load;
  private @Nullable Plugins loaded;

  LazyPlugins(Supplier<Plugins> load) {
    this.load = load;
  }

  /** The plugins. */
  Plugins get() {
    Plugins plugins = loaded;
    if (plugins == null) {
      plugins = load.get();
      loaded = plugins;
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
