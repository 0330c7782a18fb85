package org.stage.workloadfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * Makes the JSON Schema of the workload file from the table of keys, for editors: keys, types,
 * ranges, defaults. It knows one key at a time; what keys demand of each other only the reader
 * checks. What it makes is a file of the engine, which a test holds equal to it.
 */
final class Schema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Schema() {}

  /** The schema, draft 2020-12, ending in a new line. */
  static String json() {
    ObjectNode root = NODES.objectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "STAGE workload");
    map(root, "", false);
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
    try {
      return new ObjectMapper().writer(printer).writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values is always JSON", e);
    }
  }

  private static void map(ObjectNode schema, String path, boolean open) {
    schema.put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    List<Key> keys = Keys.in(path);
    keys.forEach(key -> properties.set(key.name(), described(key)));
    List<String> required = keys.stream().filter(Key::required).map(Key::name).toList();
    if (!required.isEmpty() && properties.has("preset")) {
      ArrayNode either = schema.putArray("anyOf");
      either.addObject().putArray("required").add("preset");
      required.forEach(either.addObject().putArray("required")::add);
    } else if (!required.isEmpty()) {
      required.forEach(schema.putArray("required")::add);
    }
    if (open) {
      ArrayNode types = schema.putObject("additionalProperties").putArray("type");
      List.of("string", "number", "boolean").forEach(types::add);
    } else {
      schema.put("additionalProperties", false);
    }
  }

  private static ObjectNode described(Key key) {
    ObjectNode schema = NODES.objectNode();
    schema.put("description", key.meaning() + later(key.type()));
    type(schema, key.path(), key.type());
    if (!key.fallback().isEmpty()) {
      literal(schema, key);
    }
    return schema;
  }

  private static String later(KeyType type) {
    if (type instanceof KeyType.Unbuilt) {
      return " Not available in this version.";
    }
    if (type instanceof KeyType.NameOrPath either) {
      return later(either.names());
    }
    return type instanceof KeyType.OneOf one && !one.later().isEmpty()
        ? " Not available in this version: " + String.join(", ", one.later()) + "."
        : "";
  }

  private static void type(ObjectNode schema, String path, KeyType type) {
    if (type instanceof KeyType.OneOf one) {
      oneOf(schema, one);
    } else if (type instanceof KeyType.WordOrList words) {
      ArrayNode choices = schema.putArray("anyOf");
      oneOf(choices.addObject(), words.word());
      ObjectNode list = choices.addObject();
      list.put("type", "array").put("uniqueItems", true).put("minItems", 1);
      type(list.putObject("items"), path, words.item());
    } else if (type instanceof KeyType.NameOrPath either) {
      nameOrPath(schema, either);
    } else if (type instanceof NumberType.Whole whole) {
      whole(schema, whole);
    } else if (type instanceof NumberType.Decimal decimal) {
      schema.put("type", "number");
      schema.put(decimal.zero() ? "minimum" : "exclusiveMinimum", 0);
      schema.put("maximum", (long) decimal.max());
    } else if (type instanceof KeyType.Text text) {
      schema.put("type", "string").put("pattern", "^" + text.pattern() + "$");
    } else if (type instanceof KeyType.ListOf list) {
      schema.put("type", "array").put("uniqueItems", list.unique());
      schema.set("items", described(Keys.at(path + "[]")));
    } else if (type instanceof KeyType.Unbuilt unbuilt) {
      schema.put("type", unbuilt.map() ? "object" : "array");
      schema.putObject("not");
    } else if (type instanceof KeyType.Named named) {
      named(schema, path, named);
    } else if (type instanceof KeyType.Section section) {
      section(schema, path, section);
    }
  }

  private static void whole(ObjectNode schema, NumberType.Whole whole) {
    ObjectNode number = schema;
    if (!whole.word().isEmpty()) {
      ArrayNode choices = schema.putArray("anyOf");
      choices.addObject().put("const", whole.word());
      number = choices.addObject();
    }
    number.put("type", "integer").put("minimum", whole.min()).put("maximum", whole.max());
  }

  private static void named(ObjectNode schema, String path, KeyType.Named named) {
    ObjectNode map = schema;
    if (!named.word().isEmpty()) {
      ArrayNode choices = schema.putArray("anyOf");
      choices.addObject().put("const", named.word());
      map = choices.addObject();
    }
    map.put("type", "object");
    map.putObject("propertyNames").put("pattern", "^" + named.names().pattern() + "$");
    map.set("additionalProperties", described(Keys.at(path + ".*")));
  }

  private static void section(ObjectNode schema, String path, KeyType.Section section) {
    if (section.instead() == null) {
      map(schema, path, section.open());
      return;
    }
    ArrayNode choices = schema.putArray("anyOf");
    type(choices.addObject(), path, section.instead());
    map(choices.addObject(), path, section.open());
  }

  private static void nameOrPath(ObjectNode schema, KeyType.NameOrPath either) {
    ArrayNode choices = schema.putArray("anyOf");
    oneOf(choices.addObject(), either.names());
    choices
        .addObject()
        .put("type", "string")
        .put("pattern", "^" + KeyType.NameOrPath.PATTERN + "$");
  }

  private static void oneOf(ObjectNode schema, KeyType.OneOf one) {
    ArrayNode values = schema.putArray("enum");
    for (String value : one.now()) {
      switch (one.form()) {
        case WHOLE -> values.add(Long.parseLong(value));
        case FLAG -> values.add(Boolean.parseBoolean(value));
        default -> values.add(value);
      }
    }
  }

  private static void literal(ObjectNode schema, Key key) {
    String text = key.fallback().toLowerCase(Locale.ROOT);
    boolean flag = key.type() instanceof KeyType.OneOf one && one.form() == SourceNode.Form.FLAG;
    if (flag) {
      schema.put("default", Boolean.parseBoolean(text));
    } else if (text.matches("[0-9]+")) {
      schema.put("default", Long.parseLong(text));
    } else {
      schema.put("default", key.fallback());
    }
  }
}
