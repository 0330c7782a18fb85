package org.stage.workloadfile;

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
import org.stage.job.Origin;
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
  static SourceNode read(String file, String text) {
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

  private SourceNode document() throws IOException {
    if (parser.nextToken() == null) {
      return new SourceNode.Scalar(new Origin(file, 0, ""), SourceNode.Form.NOTHING, "");
    }
    SourceNode root = node(0);
    if (parser.nextToken() != null) {
      throw refused("holds a second document", "Keep one workload in a file.");
    }
    return root;
  }

  private SourceNode node(int depth) throws IOException {
    if (depth > DEPTH) {
      throw refused("is nested deeper than " + DEPTH + " levels", "");
    }
    refuseAnchors();
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return fields(depth);
    }
    if (token == JsonToken.START_ARRAY) {
      Origin origin = here();
      List<SourceNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(depth + 1));
      }
      return new SourceNode.Items(origin, items);
    }
    String text = parser.getText();
    if (text.length() > SCALAR) {
      throw refused("holds a value of " + text.length() + " characters", "");
    }
    return new SourceNode.Scalar(here(), form(token), text);
  }

  private SourceNode.Fields fields(int depth) throws IOException {
    Origin origin = here();
    Map<String, SourceNode> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      refuseAnchors();
      Origin keyOrigin = here();
      String key = parser.currentName();
      SourceNode before = fields.get(key);
      if (before != null) {
        throw keyOrigin
            .at(shown(key))
            .fault("stands twice; first in line " + before.origin().line(), "Remove one of them.");
      }
      parser.nextToken();
      fields.put(key, node(depth + 1).at(keyOrigin));
    }
    return new SourceNode.Fields(origin, fields);
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

  private static SourceNode.Form form(@Nullable JsonToken token) {
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return SourceNode.Form.WHOLE;
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      return SourceNode.Form.DECIMAL;
    } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return SourceNode.Form.FLAG;
    }
    return token == JsonToken.VALUE_NULL ? SourceNode.Form.NOTHING : SourceNode.Form.WORD;
  }

  private Origin here() {
    return new Origin(
        file, file.equals(Origin.OPTION) ? 0 : parser.currentTokenLocation().getLineNr(), "");
  }

  private InputException refused(String message, String remedy) {
    return here().fault(message, remedy);
  }

  private static InputException syntax(String file, JsonProcessingException e) {
    Origin origin = new Origin(file, file.equals(Origin.OPTION) ? 0 : Math.max(line(e), 0), "");
    String what = problem(e.getCause() instanceof YAMLException cause ? cause : e);
    String remedy =
        what.contains("TAB")
            ? "Indent with spaces; YAML takes no tabs."
            : "Check this line and the one before.";
    return origin.fault("is not " + language(file) + ": " + what, remedy);
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
