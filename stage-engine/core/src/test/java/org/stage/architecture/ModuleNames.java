package org.stage.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.text.GraphText;
import org.stage.api.text.ParsedOperator;

/** The names that the module files give to axes, sizes, parameters, tensors and operators. */
final class ModuleNames {
  private static final Path FOLDER = Path.of("src", "main", "resources", "modules");

  private final Set<String> axes = new TreeSet<>();
  private final Set<String> kinds = new TreeSet<>();
  private final Set<String> parameters = new TreeSet<>();
  private final Set<String> inner = new TreeSet<>();

  private ModuleNames() {}

  /** Those of the files that come with STAGE. */
  static ModuleNames ofAllModules() throws IOException {
    ModuleNames names = new ModuleNames();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.sorted().toList()) {
        names.add(Files.readString(file));
      }
    }
    return names;
  }

  /** Those of one file. */
  static ModuleNames of(String yaml) throws IOException {
    ModuleNames names = new ModuleNames();
    names.add(yaml);
    return names;
  }

  private void add(String yaml) throws IOException {
    JsonNode file = new YAMLMapper().readTree(yaml);
    for (Map.Entry<String, JsonNode> axis : file.path("axes").properties()) {
      axes.add(axis.getKey());
      JsonNode said = axis.getValue();
      String size = said.isObject() ? said.path("size").asText(axis.getKey()) : said.asText();
      axes.addAll(Expr.parse(size).symbols());
    }
    lines(file.path("inputs")).forEach(line -> addTensor(line, inner));
    lines(file.path("parameters")).forEach(line -> addTensor(line, parameters));
    lines(file.path("operators")).forEach(this::addOperator);
    file.path("operators").findValues("as").forEach(name -> inner.add(name.asText()));
  }

  private static List<String> lines(JsonNode list) {
    return Stream.iterate(0, i -> i < list.size(), i -> i + 1)
        .map(i -> list.get(i).isTextual() ? list.get(i) : list.get(i).path("is"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .toList();
  }

  private void addTensor(String line, Set<String> into) {
    Tensor tensor = GraphText.parseTensor(line);
    into.add(tensor.name());
    axes.addAll(tensor.axes());
  }

  private void addOperator(String line) {
    ParsedOperator parsed = GraphText.parseOperator(line);
    Operator operator = parsed.operator();
    inner.add(operator.name());
    kinds.add(operator.kind().text());
    axes.addAll(operator.axes());
    parsed.outputs().forEach(output -> inner.add(output.name()));
  }

  /** Axes, and the symbols of their sizes. */
  Set<String> axes() {
    return axes;
  }

  /** Kinds of operators. */
  Set<String> kinds() {
    return kinds;
  }

  /** Parameters. */
  Set<String> parameters() {
    return parameters;
  }

  /** Operators, tensors that they write, and the names under which a file uses another. */
  Set<String> inner() {
    return inner;
  }
}
