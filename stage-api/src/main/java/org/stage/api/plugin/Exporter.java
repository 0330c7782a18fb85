package org.stage.api.plugin;

import org.pf4j.ExtensionPoint;

/** Writes a workload in one format. */
public interface Exporter extends ExtensionPoint {
  /** The name that {@code --to} takes. */
  String name();
}
