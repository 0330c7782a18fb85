package org.stage.plugin.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Text;
import org.stage.api.keys.WorkloadKeys.Value;
import org.stage.plugin.huggingface.format.Config;

/**
 * A family whose models are the graph that the engine builds. What its sections mean is told on the
 * page of the package.
 *
 * @param modelType its name in a configuration
 * @param sections what its file says
 */
record Family(String modelType, ObjectNode sections) {
  /**
   * A key that must have one value, which is also its default.
   *
   * @param key the key
   * @param value the value as it is written
   * @param otherwise what any other value would need
   */
  record Demand(String key, String value, String otherwise) {}

  /** The family called {@code modelType}. */
  static Optional<Family> of(String modelType) {
    return Families.ALL.stream().filter(family -> family.modelType.equals(modelType)).findFirst();
  }

  /** The family whose language model has the class {@code architecture}. */
  static Optional<Family> ofArchitecture(String architecture) {
    return Families.ALL.stream().filter(family -> family.builds(architecture)).findFirst();
  }

  /** The names of all, for a message. */
  static String available() {
    return Families.ALL.stream()
        .map(Family::modelType)
        .collect(Collectors.joining(", ", "Available: ", "."));
  }

  /** The class of its language model. */
  String architecture() {
    return sections.path("architecture").asText();
  }

  /** Whether {@code architecture} is its language model; early files differ in capitals. */
  boolean builds(String architecture) {
    return architecture().toLowerCase(Locale.ROOT).equals(architecture.toLowerCase(Locale.ROOT));
  }

  /** Whether its configurations may say {@code value}. */
  boolean reads(String value) {
    return sections.path("keys").path(value).isArray();
  }

  /** The key under which {@code config} says {@code value}, else the first of those it may have. */
  String key(String value, Config config) {
    List<String> keys = texts(sections.path("keys").path(value));
    return keys.stream().filter(config::mentions).findFirst().orElseGet(() -> keys.get(0));
  }

  /** The default of a number; 0 if it has none. */
  int usual(String value) {
    return sections.path("defaults").path(value).asInt();
  }

  /** The default of a word. */
  String usualWord(String value) {
    return sections.path("defaults").path(value).asText();
  }

  /** The default of a flag. */
  boolean usualFlag(String value) {
    return sections.path("defaults").path(value).asBoolean();
  }

  /** The largest value that the engine takes. */
  int most(String value) {
    return sections.path("most").path(value).asInt();
  }

  /** What holds of all its models under a key of the workload file without {@code model.}. */
  Optional<Value> always(String key) {
    JsonNode value = sections.path("model").path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(value.isBoolean() ? new Flag(value.asBoolean()) : new Text(value.asText()));
  }

  /** The activation functions that are its kind of feed-forward network. */
  List<String> functions() {
    return texts(sections.path("functions").path("available"));
  }

  /** What another activation function would need. */
  String otherFunction() {
    return sections.path("functions").path("otherwise").asText();
  }

  /** Keys whose other values would make another graph. */
  List<Demand> demands() {
    List<Demand> demands = new ArrayList<>();
    sections
        .path("demands")
        .properties()
        .forEach(
            demand -> {
              JsonNode is = demand.getValue();
              if (is.isObject()) {
                String value = is.path("value").asText();
                demands.add(new Demand(demand.getKey(), value, is.path("otherwise").asText()));
              }
            });
    return demands;
  }

  /** What its file says in a section that is a word; empty if nothing. */
  String word(String section) {
    return sections.path(section).asText("");
  }

  /** The router has a bias for each expert where this key has its value, which is the default. */
  Optional<Demand> choiceBias() {
    JsonNode says = sections.path("choice_bias");
    return says.isObject()
        ? Optional.of(new Demand(says.path("key").asText(), says.path("value").asText(), ""))
        : Optional.empty();
  }

  /** Whether a {@code sliding_window} holds unless another key switches it off, or only if on. */
  boolean usesItsWindow() {
    return word("window").startsWith("unless");
  }

  /** Whether its model is without the layers for multi-token prediction that its weights have. */
  boolean leavesOutPrediction() {
    return sections.path("leaves_out_prediction").asBoolean();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
