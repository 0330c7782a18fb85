package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.stage.api.workload.RankSet;
import org.stage.spec.ProfileSource;
import org.stage.spec.WorkloadReader;
import org.stage.spec.WorkloadSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The workload files of one or more jobs, where the jobs lie, and which ranks are slow. */
final class JobOptions {
  @Parameters(
      index = "0..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "The workload file, YAML or JSON.",
        "Several are jobs side by side on one network; the first names exports and network."
      })
  private List<Path> files = new ArrayList<>();

  @Mixin private OverrideOption overrides = new OverrideOption();
  @Mixin private ProfileOption profiles = new ProfileOption();

  @Option(
      names = "--place",
      paramLabel = "RANKS",
      description = {
        "The ranks of each job, for example 0-63,64-127; ranges of one job are joined by +.",
        "By default one job after the other."
      })
  private String places = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The prefix of exported files; by default the first file says it.")
  private String name = "";

  @Option(
      names = "--slow",
      paramLabel = "RANKS:FACTOR",
      description = {
        "Makes the kernels of ranks take longer by a factor, for example 5:1.2 or 5-7:1.3.",
        "May be given again."
      })
  private List<String> slow = new ArrayList<>();

  /** Reads it all; {@code plugins} are asked only if a model is a path. */
  Jobs read(Stage stage, LazyPlugins plugins) {
    ModelImports imports = new ModelImports(stage, plugins);
    ProfileSource measured = profiles.source(stage, plugins);
    boolean shared = files.size() > 1;
    List<WorkloadSpec> specs = new ArrayList<>();
    for (Path file : files) {
      specs.add(
          shared
              ? WorkloadReader.readShared(file, overrides.values(), imports, measured)
              : WorkloadReader.read(file, overrides.values(), imports, measured));
    }
    List<RankSet> ranks = PlaceOption.read(places, specs);
    int devices = ranks.stream().mapToInt(RankSet::size).sum();
    return new Jobs(
        List.copyOf(specs),
        ranks,
        name.isEmpty() ? specs.get(0).name() : checkedName(imports, measured),
        SlowOption.read(slow, devices));
  }

  /** The name, held to what a file may say. */
  private String checkedName(ModelImports imports, ProfileSource measured) {
    String quoted = '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    List<String> all =
        Stream.concat(overrides.values().stream(), Stream.of("name=" + quoted)).toList();
    return WorkloadReader.readShared(files.get(0), all, imports, measured).name();
  }
}
