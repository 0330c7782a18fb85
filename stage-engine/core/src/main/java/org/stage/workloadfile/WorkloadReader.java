package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Mesh;
import org.stage.job.Batch;
import org.stage.job.Job;
import org.stage.job.Model;
import org.stage.job.Origin;
import org.stage.job.Problems;
import org.stage.schedule.Schedules;
import org.stage.workloadfile.WorkloadFile.Export;

/**
 * Reads a workload file in three steps: text to a tree with lines; the tree against the table of
 * keys; the whole against itself. Each step names all its problems, in the order of the file.
 */
public final class WorkloadReader {
  private static final String DEFAULT_EXPORT = "chakra";

  private WorkloadReader() {}

  /** The JSON Schema of workload files, draft 2020-12, made from the table of keys. */
  public static String schema() {
    return Resources.text("/schema/workload.schema.json");
  }

  /** Whether a workload file may have the key {@code name} at its top. */
  public static boolean hasKey(String name) {
    String plain = name.endsWith("]") ? name.substring(0, name.indexOf('[')) : name;
    return Keys.in("").stream().anyMatch(key -> key.name().equals(plain));
  }

  /** The workload of {@code file}, which may not name a path as its model. */
  public static WorkloadFile read(Path file, List<String> overrides) {
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
  public static WorkloadFile read(Path file, List<String> overrides, ModelResolver resolver) {
    return read(file, overrides, resolver, false);
  }

  /**
   * The same for one of several jobs on one network, whose file may name a network larger than its
   * mesh; {@link SharedNetwork} says what becomes of it.
   */
  public static WorkloadFile readShared(Path file, List<String> overrides, ModelResolver resolver) {
    return read(file, overrides, resolver, true);
  }

  private static WorkloadFile read(
      Path file, List<String> overrides, ModelResolver resolver, boolean shared) {
    SourceNode.Fields tree = tree(file.toString(), SourceText.read(file), overrides);
    @Nullable SourceNode model = tree.get("model");
    SourceNode.Fields whole =
        model == null ? tree : tree.with("model", new ModelSource(file, resolver).complete(model));
    return complete(file, new Values(whole), shared);
  }

  private static SourceNode.Fields tree(String name, String text, List<String> overrides) {
    SourceNode root = TreeReader.read(name, text);
    if (root instanceof SourceNode.Scalar scalar && scalar.form() == SourceNode.Form.NOTHING) {
      throw new InputException(
          name, "is empty", "Start with: model: llama-3.1-8b (see the examples).");
    }
    if (!(root instanceof SourceNode.Fields fields)) {
      throw root.origin()
          .fault("holds " + root.text() + " instead of keys", "Start with: model: llama-3.1-8b.");
    }
    NotAWorkload.refuseModel(name, fields);
    SourceNode.Fields all = Overrides.apply(fields, overrides);
    Problems problems = new Problems();
    new KeyCheck(problems, true).fields("", all.at(new Origin(name, 0, "")), false, "");
    problems.report();
    return all;
  }

  private static WorkloadFile complete(Path file, Values values, boolean shared) {
    Model model = new ModelReader(values).read();
    MeshReader meshes = new MeshReader(values);
    Mesh mesh = meshes.read();
    meshes.check(mesh, model);
    TrainingReader training = new TrainingReader(values, model, mesh);
    Batch batch = training.batch();
    Job job =
        new Job(
            values.word("name"),
            model,
            mesh,
            new StrategyReader(values, model, mesh, Schedules.standard()).read(batch),
            training.read(batch),
            new DeviceReader(values, file).platform(mesh.devices(), shared),
            values.origins());
    List<Export> exports = exports(values);
    values.problems().report();
    return new WorkloadFile(
        job, exports, DurationReader.profiles(values, file), DurationReader.injected(values));
  }

  private static List<Export> exports(Values values) {
    if (!values.has("exports")) {
      return List.of(new Export(DEFAULT_EXPORT, Map.of()));
    }
    List<Export> exports = new ArrayList<>();
    for (SourceNode item : values.items("exports")) {
      Export export = export(item);
      if (exports.stream().anyMatch(other -> other.to().equals(export.to()))) {
        values
            .problems()
            .add(
                item.origin().at("exports"),
                "'" + export.to() + "' stands twice; both would write the same folder",
                "Keep one of them.");
      }
      exports.add(export);
    }
    return exports;
  }

  private static Export export(SourceNode item) {
    if (item instanceof SourceNode.Scalar name) {
      return new Export(name.raw(), Map.of());
    }
    Map<String, String> options = new LinkedHashMap<>();
    ((SourceNode.Fields) item)
        .fields()
        .forEach((key, value) -> options.put(key, ((SourceNode.Scalar) value).raw()));
    String to = String.valueOf(options.remove("to"));
    return new Export(to, options);
  }
}
