package org.stage.module;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.IdentityHashMap;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Origin;

/** A module file as a tree, which knows on which line each text, list and map of it stands. */
final class ModuleFile {
  private static final YAMLMapper YAML = new YAMLMapper();

  private final String path;
  private final JsonNode root;
  private final IdentityHashMap<JsonNode, Integer> lines;

  private ModuleFile(String path, JsonNode root, IdentityHashMap<JsonNode, Integer> lines) {
    this.path = path;
    this.root = root;
    this.lines = lines;
  }

  /**
   * Reads a file.
   *
   * @param path what messages call it
   */
  static ModuleFile read(String path, InputStream in) throws IOException {
    try (JsonParser parser = YAML.getFactory().createParser(in)) {
      Located nodes = new Located(parser);
      JsonNode root = YAML.reader(nodes).readTree(parser);
      return new ModuleFile(path, root, nodes.lines);
    }
  }

  /** What stands under {@code key}; a missing node if there is nothing. */
  JsonNode path(String key) {
    return root.path(key);
  }

  /**
   * That something in the file is wrong.
   *
   * @param at where it stands
   * @param key what it is called there
   */
  InputException fault(JsonNode at, String key, String message, String remedy) {
    return new Origin(path, lines.getOrDefault(at, 0), key).fault(message, remedy);
  }

  /** What messages call it: {@code modules/mlp.yaml}. */
  @Override
  public String toString() {
    return path;
  }

  /** Makes nodes, and notes where the parser stands meanwhile. */
  private static final class Located extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;

    private final transient JsonParser parser;
    private final transient IdentityHashMap<JsonNode, Integer> lines = new IdentityHashMap<>();

    Located(JsonParser parser) {
      this.parser = parser;
    }

    private <T extends JsonNode> T here(T node) {
      lines.put(node, parser.currentTokenLocation().getLineNr());
      return node;
    }

    @Override
    public TextNode textNode(String text) {
      return here(super.textNode(text));
    }

    @Override
    public ArrayNode arrayNode() {
      return here(super.arrayNode());
    }

    @Override
    public ObjectNode objectNode() {
      return here(super.objectNode());
    }
  }
}
