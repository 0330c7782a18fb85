package org.stage.spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Mesh;
import org.stage.job.ModelDescription;
import org.stage.spec.WorkloadSpec.Export;

/**
 * Reads a workload file in three steps: text to a tree with lines; the tree against the table of
 * keys; the whole against itself. Each step names all its problems, in the order of the file.
 */
public final class WorkloadReader {
  private static final String DEFAULT_EXPORT = "chakra";

  private WorkloadReader() {}

  /** The workload of {@code file}, which may not name a path as its model. */
  public static WorkloadSpec read(Path file, List<String> overrides) {
    return read(file, overrides, ModelResolver.NONE);
  }

  /**
   * The workload of {@code file}.
   *
   * @param file YAML, or JSON
   * @param overrides {@code KEY=VALUE}, over the file, the last one winning
   * @param resolver reads the model if it is a path
   * @throws InputException if anything is wrong with any of them
   */
  public static WorkloadSpec read(Path file, List<String> overrides, ModelResolver resolver) {
    return read(file, overrides, resolver, ProfileSource.NONE);
  }

  /**
   * The workload of {@code file}, with measured durations.
   *
   * @param file YAML, or JSON
   * @param overrides {@code KEY=VALUE}, over the file, the last one winning
   * @param resolver reads the model if it is a path
   * @param profiles reads profiles, and names further ones
   * @throws InputException if anything is wrong with any of them
   */
  public static WorkloadSpec read(
      Path file, List<String> overrides, ModelResolver resolver, ProfileSource profiles) {
    return read(file, overrides, resolver, profiles, false);
  }

  /**
   * The same for one of several jobs on one network, whose file may name a network larger than its
   * mesh; {@link SharedNetwork} says what becomes of it.
   */
  public static WorkloadSpec readShared(
      Path file, List<String> overrides, ModelResolver resolver, ProfileSource profiles) {
    return read(file, overrides, resolver, profiles, true);
  }

  /** The same without profiles. */
  public static WorkloadSpec readShared(Path file, List<String> overrides, ModelResolver resolver) {
    return readShared(file, overrides, resolver, ProfileSource.NONE);
  }

  private static WorkloadSpec read(
      Path file,
      List<String> overrides,
      ModelResolver resolver,
      ProfileSource profiles,
      boolean shared) {
    String name = file.toString();
    Node.Fields tree = tree(name, SourceText.read(file), overrides);
    @Nullable Node model = tree.get("model");
    WorkloadSpec spec =
        complete(
            file,
            model == null
                ? tree
                : tree.with("model", new ModelSource(file, resolver).complete(model)),
            shared);
    return spec.with(new TimesReader(file, profiles).read(new Values(tree)));
  }

  private static Node.Fields tree(String name, String text, List<String> overrides) {
    Node root = TreeReader.read(name, text);
    if (root instanceof Node.Scalar scalar && scalar.form() == Node.Form.NOTHING) {
      throw new InputException(
          name, "is empty", "Start with: model: llama-3.1-8b (see the examples).");
    }
    if (!(root instanceof Node.Fields fields)) {
      throw new InputException(
          root.place().at(""),
          "holds " + root.text() + " instead of keys",
          "Start with: model: llama-3.1-8b.");
    }
    Node.Fields all = Overrides.apply(fields, overrides);
    Problems problems = new Problems();
    new KeyCheck(problems, true).fields("", all.at(new Place(name, 0)), false, "");
    problems.report();
    return all;
  }

  private static WorkloadSpec complete(Path file, Node.Fields tree, boolean shared) {
    String name = file.toString();
    Values values = new Values(tree);
    Problems problems = new Problems();
    ModelDescription description = new ModelReader(values, problems).read();
    MeshReader meshes = new MeshReader(values, problems);
    Mesh mesh = meshes.read();
    meshes.check(mesh, description);
    Training training = new TrainingReader(values, problems, description, mesh).read();
    DeviceReader devices = new DeviceReader(values, problems, file);
    RulesReader rules = new RulesReader(values, problems);
    WorkloadSpec spec =
        new WorkloadSpec(
            name,
            values.word("name"),
            description,
            mesh,
            training,
            devices.hardware(),
            devices.network(mesh.devices(), shared),
            exports(values, problems),
            rules.read(),
            KnownTimes.NONE);
    problems.report();
    rules.check(spec);
    problems.report();
    return spec;
  }

  private static List<Export> exports(Values values, Problems problems) {
    if (!values.has("exports")) {
      return List.of(new Export(DEFAULT_EXPORT, Map.of()));
    }
    List<Export> exports = new ArrayList<>();
    for (Node item : values.items("exports")) {
      Export export = export(item);
      if (exports.stream().anyMatch(other -> other.to().equals(export.to()))) {
        problems.add(
            item.place(),
            "exports",
            "'" + export.to() + "' stands twice; both would write the same folder",
            "Keep one of them.");
      }
      exports.add(export);
    }
    return exports;
  }

  private static Export export(Node item) {
    if (item instanceof Node.Scalar name) {
      return new Export(name.raw(), Map.of());
    }
    Map<String, String> options = new LinkedHashMap<>();
    ((Node.Fields) item)
        .fields()
        .forEach((key, value) -> options.put(key, ((Node.Scalar) value).raw()));
    String to = String.valueOf(options.remove("to"));
    return new Export(to, options);
  }
}
