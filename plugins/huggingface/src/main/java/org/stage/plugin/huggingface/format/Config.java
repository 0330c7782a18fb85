package org.stage.plugin.huggingface.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a configuration, each checked when it is asked for. */
public final class Config {
  private static final int DEPTH = 64;
  private static final int SHOWN = 60;

  /** Python's writer says {@code Infinity}, which JSON does not have. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode root;

  private Config(ObjectNode root) {
    this.root = root;
  }

  /** Reads {@code file}. */
  public static Config read(Path file) throws ConfigException {
    return parse(ConfigText.read(file));
  }

  /** Reads {@code text}. */
  public static Config parse(String text) throws ConfigException {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (StreamConstraintsException e) {
      throw new ConfigException(
          "", "is no configuration: " + firstLine(e), "Is it the right file?", e);
    } catch (JsonProcessingException e) {
      String line = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw new ConfigException(
          "", "is not JSON: " + line + firstLine(e), "Download it again, or mend it.", e);
    }
    if (!(root instanceof ObjectNode object)) {
      throw new ConfigException(
          "holds " + text(root) + " instead of an object with keys", "Is it the right file?");
    }
    return new Config(object);
  }

  /** Whether {@code key} has a value other than {@code null}. */
  public boolean has(String key) {
    return value(key) != null;
  }

  /** Whether {@code key} is written, be it with {@code null}. */
  public boolean mentions(String key) {
    return root.has(key);
  }

  /**
   * Whether what {@code key} would switch on is off: it is missing, {@code null}, {@code false}, 0
   * or empty.
   */
  public boolean isOff(String key) {
    JsonNode value = value(key);
    if (value == null || (value.isContainerNode() && value.isEmpty())) {
      return true;
    }
    return value.isNumber()
        ? value.doubleValue() == 0
        : (value.isBoolean() && !value.booleanValue())
            || (value.isTextual() && value.textValue().isEmpty());
  }

  /** The value of {@code key}, which it has, as a whole number from 1 to {@code max}. */
  public int whole(String key, int max) throws ConfigException {
    JsonNode value = needed(key);
    if (!value.isIntegralNumber()) {
      throw new ConfigException(
          key, text(value) + " is not a whole number", "Write one from 1 to " + max + ".");
    }
    BigInteger number = value.bigIntegerValue();
    if (number.signum() <= 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
      throw new ConfigException(
          key, text(value) + " is out of range", "Write a whole number from 1 to " + max + ".");
    }
    return number.intValueExact();
  }

  /** The value of {@code key}, which it has, as a flag. */
  public boolean flag(String key) throws ConfigException {
    JsonNode value = needed(key);
    if (!value.isBoolean()) {
      throw new ConfigException(
          key, text(value) + " is neither true nor false", "Write one of them.");
    }
    return value.booleanValue();
  }

  /** The value of {@code key}, which it has, as text. */
  public String word(String key) throws ConfigException {
    JsonNode value = needed(key);
    if (!value.isTextual()) {
      throw new ConfigException(key, text(value) + " is not text", "Write it in quotes.");
    }
    return value.textValue();
  }

  /** The value of {@code key} as a list of texts; empty if it has none. */
  public List<String> words(String key) throws ConfigException {
    JsonNode value = value(key);
    List<String> words = new ArrayList<>();
    if (value == null) {
      return words;
    }
    if (!value.isArray()) {
      throw new ConfigException(key, text(value) + " is not a list", "Write a list of texts.");
    }
    for (JsonNode item : value) {
      if (!item.isTextual()) {
        throw new ConfigException(key, "holds " + text(item) + ", which is not text", "");
      }
      words.add(item.textValue());
    }
    return words;
  }

  /** The value of {@code key} as a list of whole numbers from 0; empty if it has none. */
  public List<Integer> numbers(String key) throws ConfigException {
    JsonNode value = value(key);
    List<Integer> numbers = new ArrayList<>();
    if (value == null) {
      return numbers;
    }
    if (!value.isArray()) {
      throw new ConfigException(key, text(value) + " is not a list", "Write a list of numbers.");
    }
    for (JsonNode item : value) {
      if (!item.isInt() || item.intValue() < 0) {
        throw new ConfigException(key, "holds " + text(item) + ", which is no number from 0", "");
      }
      numbers.add(item.intValue());
    }
    return numbers;
  }

  /** The value of {@code key} for a message: {@code 8}, {@code 'silu'}, {@code a list}. */
  public String shown(String key) {
    JsonNode value = value(key);
    return value == null ? "null" : text(value);
  }

  /** {@code word} in quotes, without what would garble a message. */
  public static String quoted(String word) {
    String clean = word.length() > SHOWN ? word.substring(0, SHOWN) + "..." : word;
    return "'" + clean.replaceAll("\\p{Cntrl}", "?") + "'";
  }

  private JsonNode needed(String key) throws ConfigException {
    JsonNode value = value(key);
    if (value == null) {
      throw new ConfigException(
          key, mentions(key) ? "is null" : "is missing", "Write its value, or remove it.");
    }
    return value;
  }

  private @Nullable JsonNode value(String key) {
    JsonNode value = root.get(key);
    return value == null || value.isNull() ? null : value;
  }

  private static String text(JsonNode value) {
    if (value.isTextual()) {
      return quoted(value.textValue());
    } else if (value.isArray()) {
      return "a list";
    } else if (value.isObject()) {
      return "an object";
    }
    String text = value.asText();
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
  }

  private static String firstLine(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    String line = message == null ? "unreadable" : message.lines().findFirst().orElse("");
    String clean = line.replaceAll("\\p{Cntrl}", "?");
    return clean.length() > 2 * SHOWN ? clean.substring(0, 2 * SHOWN) + "..." : clean;
  }
}
