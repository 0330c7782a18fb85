package org.stage.api.plugin;

import java.util.List;
import org.pf4j.ExtensionPoint;

/** What every extension has: a name under which users ask for it, and options. */
public interface Plugin extends ExtensionPoint {
  /** The name that users type, lower case: {@code chakra}. */
  String name();

  /** One line for listings. */
  String description();

  /** The options it understands; the host checks them before a run. */
  default List<Option> options() {
    return List.of();
  }
}
