package org.stage.plugin.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The families that can be read, and others that are known, from the resources in {@code
 * families/}.
 *
 * <p>A file may be {@code like} another: then of sections that are maps it says the entries that
 * differ, {@code null} where it has none, and of the others those that differ.
 */
final class Families {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonNode INDEX = read("index");

  /** All of them, by name. */
  static final List<Family> ALL = families();

  /** What each family would need that is known but is another graph, by its name. */
  static final Map<String, String> UNBUILT = unbuilt();

  private Families() {}

  private static List<Family> families() {
    List<Family> families = new ArrayList<>();
    INDEX.path("families").forEach(name -> families.add(family(name.asText())));
    return List.copyOf(families);
  }

  /** The family {@code name}, whose file must exist. */
  static Family family(String name) {
    return new Family(name, sections(name));
  }

  private static Map<String, String> unbuilt() {
    Map<String, String> unbuilt = new HashMap<>();
    INDEX
        .path("unbuilt")
        .properties()
        .forEach(
            lack -> lack.getValue().forEach(name -> unbuilt.put(name.asText(), lack.getKey())));
    return Map.copyOf(unbuilt);
  }

  private static ObjectNode sections(String name) {
    ObjectNode own = read(name);
    if (!own.has("like")) {
      return own;
    }
    ObjectNode sections = sections(own.path("like").asText());
    own.properties()
        .forEach(
            section -> {
              boolean both =
                  section.getValue().isObject() && sections.path(section.getKey()).isObject();
              if (both) {
                sections
                    .withObjectProperty(section.getKey())
                    .setAll((ObjectNode) section.getValue());
              } else {
                sections.set(section.getKey(), section.getValue());
              }
            });
    return sections;
  }

  private static ObjectNode read(String name) {
    String path = "families/" + name + ".json";
    try (InputStream in = Families.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the plug-in lacks " + path);
      }
      return (ObjectNode) MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
