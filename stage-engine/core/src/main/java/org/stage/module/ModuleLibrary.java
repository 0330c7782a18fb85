package org.stage.module;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.stage.api.graph.Module;

/**
 * The built-in module files. A module says what is computed, on logical axes; nothing in it speaks
 * of devices. Entries with {@code when} are taken if that feature is among those asked for.
 */
public final class ModuleLibrary {
  private static final YAMLMapper YAML = new YAMLMapper();

  private final Map<String, JsonNode> files = new ConcurrentHashMap<>();

  /**
   * Builds the forward graph of a module.
   *
   * @param name name of the module file
   * @param features what holds of the model, for {@code when}
   * @throws IllegalArgumentException if the module file is not well formed; the message names it
   */
  public Module build(String name, Set<String> features) {
    return build(name, features, Map.of());
  }

  /**
   * Builds the forward graph of a module that leaves open which others it uses.
   *
   * @param name name of the module file
   * @param features what holds of the model, for {@code when}
   * @param parts the module for each name behind a dollar in {@code use}
   * @throws IllegalArgumentException if the module file is not well formed; the message names it
   */
  public Module build(String name, Set<String> features, Map<String, String> parts) {
    return new ModuleBuilder(this, name, features, parts).build();
  }

  JsonNode file(String name) {
    return files.computeIfAbsent(name, ModuleLibrary::read);
  }

  private static JsonNode read(String name) {
    String path = "/modules/" + name + ".yaml";
    try (InputStream in = ModuleLibrary.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no module '" + name + "'");
      }
      return YAML.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("module " + name, e);
    }
  }
}
