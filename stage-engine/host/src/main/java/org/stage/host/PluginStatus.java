package org.stage.host;

import java.nio.file.Path;
import java.util.List;

/**
 * How a plugin fares, told without running any of its code.
 *
 * @param id its id; of a JAR that cannot be read what is known of it, or nothing
 * @param version its version; empty if it cannot be read
 * @param state PF4J's word: {@code STARTED} can be used, {@code DISABLED} is built for another
 *     stage-api, {@code FAILED} is broken
 * @param gives what it gives, as {@code exporter chakra}
 * @param jar its file
 */
public record PluginStatus(String id, String version, String state, List<String> gives, Path jar) {
  /** Copies the list. */
  public PluginStatus {
    gives = List.copyOf(gives);
  }
}
