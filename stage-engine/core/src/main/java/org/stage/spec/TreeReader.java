package org.stage.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Text to a tree with lines. It reads the parser's tokens itself, since a mapped object no longer
 * knows on which line a value stood.
 */
final class TreeReader {
  private static final int DEPTH = 16;
  private static final int SCALAR = 10_000;
  private static final YAMLFactory YAML = new YAMLFactory();
  private static final JsonFactory JSON = new JsonFactory();

  private final String file;
  private final JsonParser parser;

  private TreeReader(String file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads {@code text}; JSON if {@code file} is named so, since YAML forbids JSON its tabs. */
  static Node read(String file, String text) {
    JsonFactory factory = file.toLowerCase(Locale.ROOT).endsWith(".json") ? JSON : YAML;
    try (JsonParser parser = factory.createParser(text)) {
      return new TreeReader(file, parser).document();
    } catch (JsonProcessingException e) {
      throw syntax(file, e);
    } catch (YAMLException e) {
      throw new InputException(file, "is not YAML: " + problem(e), "");
    } catch (IOException e) {
      throw new InputException(file, "cannot be read: " + e.getMessage(), "");
    }
  }

  private Node document() throws IOException {
    if (parser.nextToken() == null) {
      return new Node.Scalar(new Place(file, 0), Node.Form.NOTHING, "");
    }
    Node root = node(0);
    if (parser.nextToken() != null) {
      throw refused("holds a second document", "Keep one workload in a file.");
    }
    return root;
  }

  private Node node(int depth) throws IOException {
    if (depth > DEPTH) {
      throw refused("is nested deeper than " + DEPTH + " levels", "");
    }
    refuseAnchors();
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return fields(depth);
    }
    if (token == JsonToken.START_ARRAY) {
      Place place = here();
      List<Node> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(depth + 1));
      }
      return new Node.Items(place, items);
    }
    String text = parser.getText();
    if (text.length() > SCALAR) {
      throw refused("holds a value of " + text.length() + " characters", "");
    }
    return new Node.Scalar(here(), form(token), text);
  }

  private Node.Fields fields(int depth) throws IOException {
    Place place = here();
    Map<String, Node> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      refuseAnchors();
      Place keyPlace = here();
      String key = parser.currentName();
      Node before = fields.get(key);
      if (before != null) {
        throw new InputException(
            keyPlace.at(shown(key)),
            "stands twice; first in line " + before.place().line(),
            "Remove one of them.");
      }
      parser.nextToken();
      fields.put(key, node(depth + 1).at(keyPlace));
    }
    return new Node.Fields(place, fields);
  }

  /** Anchors and aliases can make a short file very long; no workload needs them. */
  private void refuseAnchors() throws IOException {
    if (parser instanceof YAMLParser yaml) {
      if (yaml.isCurrentAlias()) {
        throw refused("uses the YAML alias *" + shown(yaml.getText()), "Write the value out.");
      }
      if (yaml.getObjectId() != null) {
        throw refused("uses the YAML anchor &" + yaml.getObjectId(), "Write the value out.");
      }
      if (yaml.getTypeId() != null) {
        throw refused("uses the YAML tag " + yaml.getTypeId(), "Remove the tag.");
      }
    }
  }

  private static Node.Form form(@Nullable JsonToken token) {
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return Node.Form.WHOLE;
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      return Node.Form.DECIMAL;
    } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return Node.Form.FLAG;
    }
    return token == JsonToken.VALUE_NULL ? Node.Form.NOTHING : Node.Form.WORD;
  }

  private Place here() {
    return new Place(
        file, file.equals(Place.OPTION) ? 0 : parser.currentTokenLocation().getLineNr());
  }

  private InputException refused(String message, String remedy) {
    return new InputException(here().at(""), message, remedy);
  }

  private static InputException syntax(String file, JsonProcessingException e) {
    Place place = new Place(file, file.equals(Place.OPTION) ? 0 : Math.max(line(e), 0));
    String what = problem(e.getCause() instanceof YAMLException cause ? cause : e);
    String remedy =
        what.contains("TAB")
            ? "Indent with spaces; YAML takes no tabs."
            : "Check this line and the one before.";
    return new InputException(place.at(""), "is not " + language(file) + ": " + what, remedy);
  }

  /** The parser's location is that of the last token; the mark is that of the problem. */
  private static int line(JsonProcessingException e) {
    if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      return marked.getProblemMark().getLine() + 1;
    }
    return e.getLocation() == null ? 0 : e.getLocation().getLineNr();
  }

  private static String language(String file) {
    return file.toLowerCase(Locale.ROOT).endsWith(".json") ? "JSON" : "YAML";
  }

  private static String problem(Exception e) {
    String message = e.getMessage();
    if (e instanceof MarkedYAMLException marked && marked.getProblem() != null) {
      message = marked.getProblem();
    } else if (e instanceof JsonProcessingException processing) {
      message = processing.getOriginalMessage();
    }
    return shown(message == null ? "unreadable" : message.lines().findFirst().orElse(""));
  }

  private static String shown(String text) {
    String clean = text.replaceAll("\\p{Cntrl}", "?");
    return clean.length() > 100 ? clean.substring(0, 100) + "..." : clean;
  }
}
