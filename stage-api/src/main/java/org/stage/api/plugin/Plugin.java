package org.stage.api.plugin;

import java.util.List;
import org.pf4j.ExtensionPoint;

/**
 * What every extension has: a name under which users ask for it, options, and capabilities. The
 * host makes one object of it, by the public constructor without parameters; a plugin starts no
 * thread that outlives a call, and does not end the JVM.
 */
public interface Plugin extends ExtensionPoint {
  /**
   * The name that users type: lower case letters, digits, dots and dashes, beginning with a letter.
   * Of one extension point no two extensions have the same.
   */
  String name();

  /** One line for listings. */
  String description();

  /** The options it understands; the host checks them before a run. */
  default List<Option> options() {
    return List.of();
  }

  /** What it can deal with; by default nothing is declared. Cheap, and the same on every call. */
  default Capabilities capabilities() {
    return Capabilities.nothing();
  }
}
