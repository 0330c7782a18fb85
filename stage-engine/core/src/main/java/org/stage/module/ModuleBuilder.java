package org.stage.module;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;
import org.stage.api.text.GraphText;
import org.stage.api.text.ParsedOperator;

/**
 * Reads one module file and the modules that it uses into a single graph. A name that is written
 * again hides the earlier tensor of that name, so files need not invent {@code q2}, {@code q3}.
 */
final class ModuleBuilder {
  private final ModuleLibrary library;
  private final String name;
  private final Set<String> features;
  private final Map<String, String> parts;
  private final Map<ModuleFile, Axes> known = new HashMap<>();
  private final Map<String, Axis> axes = new LinkedHashMap<>();
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<Tensor> parameters = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final Map<String, Integer> versions = new HashMap<>();

  ModuleBuilder(
      ModuleLibrary library, String name, Set<String> features, Map<String, String> parts) {
    this.library = library;
    this.name = name;
    this.features = features;
    this.parts = parts;
  }

  Module build() {
    ModuleFile file = library.file(name);
    Map<String, String> scope = new HashMap<>();
    for (JsonNode entry : wanted(file.path("inputs"))) {
      Tensor input = GraphText.parseTensor(text(entry));
      scope.put(input.name(), input.name());
      inputs.add(input);
      declareAxes(file, input.axes(), entry, input.toString());
    }
    List<String> outputs = addBody(file, "", scope);
    return new Module(
        name, List.copyOf(axes.values()), inputs, parameters, operators, tensors, outputs);
  }

  /**
   * Adds parameters and operators of a file under a prefix; returns what its outputs are called.
   */
  private List<String> addBody(ModuleFile file, String prefix, Map<String, String> scope) {
    for (JsonNode entry : wanted(file.path("parameters"))) {
      Tensor parsed = GraphText.parseTensor(text(entry));
      Tensor parameter = new Tensor(prefix + parsed.name(), parsed.axes(), Element.WEIGHT);
      scope.put(parsed.name(), parameter.name());
      parameters.add(parameter);
      declareAxes(file, parameter.axes(), entry, parsed.toString());
    }
    for (JsonNode step : wanted(file.path("operators"))) {
      if (step.has("use")) {
        addUse(step, prefix, scope);
      } else {
        addOperator(file, step, prefix, scope);
      }
    }
    List<String> outputs = new ArrayList<>();
    file.path("outputs").forEach(output -> outputs.add(resolve(scope, output.asText())));
    return outputs;
  }

  private void addUse(JsonNode step, String prefix, Map<String, String> scope) {
    String module = part(step.path("use").asText());
    ModuleFile used = library.file(module);
    Map<String, String> inner = new HashMap<>();
    List<JsonNode> formal = wanted(used.path("inputs"));
    for (int i = 0; i < formal.size(); i++) {
      String actual = resolve(scope, step.path("inputs").path(i).asText());
      inner.put(GraphText.parseTensor(text(formal.get(i))).name(), actual);
    }
    List<String> results = addBody(used, prefix + called(step, module, used) + ".", inner);
    for (int i = 0; i < results.size(); i++) {
      scope.put(step.path("outputs").path(i).asText(), results.get(i));
    }
  }

  /** The module that {@code use} names: what stands behind a dollar is said from outside. */
  private String part(String used) {
    if (!used.startsWith("$")) {
      return used;
    }
    String module = parts.get(used.substring(1));
    if (module == null) {
      throw new IllegalArgumentException("module " + name + ": no module for " + used);
    }
    return module;
  }

  /** What a part is called: as the file says that uses it, else as its own says, else its name. */
  private static String called(JsonNode step, String module, ModuleFile used) {
    return step.path("as").asText(used.path("called").asText(module));
  }

  private void addOperator(
      ModuleFile file, JsonNode step, String prefix, Map<String, String> scope) {
    ParsedOperator parsed = GraphText.parseOperator(text(step));
    Operator operator = parsed.operator();
    library.operators().of(operator); // refuses what nothing is known of
    List<Operand> in = rename(operator.inputs(), tensor -> resolve(scope, tensor));
    for (Tensor output : parsed.outputs()) {
      String unique = unique(prefix + output.name());
      scope.put(output.name(), unique);
      tensors.add(new Tensor(unique, output.axes(), output.element()));
    }
    List<Operand> out = rename(operator.outputs(), tensor -> resolve(scope, tensor));
    operators.add(new Operator(prefix + operator.name(), operator.kind(), in, out));
    declareAxes(file, operator.axes(), step, operator.name());
  }

  private String unique(String wanted) {
    int version = versions.merge(wanted, 1, Integer::sum);
    boolean taken = version > 1 || inputs.stream().anyMatch(input -> input.name().equals(wanted));
    return taken ? wanted + "." + (version + (version > 1 ? 0 : 1)) : wanted;
  }

  private static List<Operand> rename(List<Operand> operands, UnaryOperator<String> name) {
    return operands.stream().map(o -> new Operand(name.apply(o.tensor()), o.axes())).toList();
  }

  private String resolve(Map<String, String> scope, String local) {
    String actual = scope.get(local);
    if (actual == null) {
      throw new IllegalArgumentException("module " + name + ": '" + local + "' is not known");
    }
    return actual;
  }

  /** Axes that are used, as the file or the library declares them; all files declare one alike. */
  private void declareAxes(ModuleFile file, Iterable<String> names, JsonNode at, String use) {
    Axes declared = known.computeIfAbsent(file, library::axes);
    for (String name : names) {
      Axis axis = declared.get(file, name, at, use);
      Axis before = axes.putIfAbsent(name, axis);
      if (before != null && !before.equals(axis)) {
        throw file.fault(
            at,
            use,
            "axis '" + name + "' is " + Axes.text(axis) + " here, elsewhere " + Axes.text(before),
            "Choose another name in one of the files.");
      }
    }
  }

  private List<JsonNode> wanted(JsonNode list) {
    List<JsonNode> wanted = new ArrayList<>();
    list.forEach(
        entry -> {
          if (!entry.has("when") || features.contains(entry.path("when").asText())) {
            wanted.add(entry);
          }
        });
    return wanted;
  }

  private static String text(JsonNode entry) {
    return entry.isTextual() ? entry.asText() : entry.path("is").asText();
  }
}
