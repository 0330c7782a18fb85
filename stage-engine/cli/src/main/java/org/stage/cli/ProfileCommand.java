package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.stage.app.Json;
import org.stage.app.ProfileResult;
import org.stage.app.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage profile}. */
@Command(
    name = "profile",
    description = {
      "Shows what profiles of real runs hold: kernels, collectives, shapes, times.",
      "Several files are one job, each of one rank."
    })
final class ProfileCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The profiles.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--importer",
      paramLabel = "NAME",
      description = "The importer; by default what the files look like.")
  private String importer = "";

  @Option(
      names = "--set",
      paramLabel = "NAME.OPTION=VALUE",
      description = {
        "Sets an option of an importer, for example kineto.clip-overlaps=true.",
        "May be given again."
      })
  private List<String> settings = new ArrayList<>();

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  @Option(
      names = "--fit-hardware",
      paramLabel = "YAML",
      description = {
        "Writes what the device achieved: throughput, bandwidth, collectives.",
        "A workload file names such a file by its path, under hardware."
      })
  private @Nullable Path fit;

  ProfileCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    ProfileResult result;
    try (Session session = pluginOptions.open(stage)) {
      result = session.profile(files, importer, settings);
    }
    if (json) {
      Json.print(stage.world().out(), ProfileJson.of(result));
    } else {
      ProfileText.print(stage.world().out(), result);
    }
    result.profiles().forEach(each -> each.notes().forEach(stage::say));
    if (fit != null) {
      result.fitHardware(fit);
    }
    return ExitCode.DONE;
  }
}
