package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaTest {
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(org.stage.workloadfile.Schema.json());

  @Test
  void theSchemaOfTheDistributionIsTheOneOfTheTable() throws IOException {
    Golden.check(
        Path.of("src/main/resources/schema/workload.schema.json"),
        org.stage.workloadfile.Schema.json());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anExampleFitsTheSchema(Path example) throws IOException {
    assertThat(faults(Files.readString(example))).isEmpty();
  }

  /**
   * Tells the two kinds of wrong file apart: what one key says alone, and what keys say together.
   */
  @ParameterizedTest
  @MethodSource("org.stage.workloadfile.WrongFile#all")
  void theSchemaRefusesWhatTheTableOfKeysRefuses(WrongFile wrong) {
    if (wrong.syntactic()) {
      return;
    }
    assertThat(faults(wrong.text()).isEmpty()).as("accepted").isEqualTo(!wrong.byOneKey());
  }

  static List<Path> examples() throws IOException {
    List<Path> examples = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(ExamplesTest.EXAMPLES, "*.yaml")) {
      files.forEach(examples::add);
    }
    assertThat(examples).isNotEmpty();
    return examples;
  }

  private static List<String> faults(String text) {
    return SCHEMA.validate(json(TreeReader.read("w.yaml", text))).stream()
        .map(Object::toString)
        .toList();
  }

  /** By YAML 1.2, as editors read it: Jackson's own mapper still takes yes for true. */
  private static JsonNode json(SourceNode node) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (node instanceof SourceNode.Fields fields) {
      ObjectNode object = nodes.objectNode();
      fields.fields().forEach((key, value) -> object.set(key, json(value)));
      return object;
    } else if (node instanceof SourceNode.Items items) {
      return nodes.arrayNode().addAll(items.items().stream().map(SchemaTest::json).toList());
    }
    SourceNode.Scalar scalar = (SourceNode.Scalar) node;
    String raw = scalar.raw();
    return switch (scalar.form()) {
      case NOTHING -> nodes.nullNode();
      case WHOLE, DECIMAL ->
          raw.matches("-?[0-9][0-9.e]*")
              ? nodes.numberNode(new BigDecimal(raw))
              : nodes.textNode(raw);
      case FLAG ->
          raw.matches("true|false")
              ? nodes.booleanNode(Boolean.parseBoolean(raw))
              : nodes.textNode(raw);
      case WORD -> nodes.textNode(raw);
    };
  }
}
