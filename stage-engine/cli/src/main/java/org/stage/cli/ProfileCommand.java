package org.stage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.profile.MeasuredOperator;
import org.stage.calibrate.HardwareFit;
import org.stage.calibrate.ProfileSet;
import org.stage.host.Plugins;
import org.stage.spec.ProfileSource.Request;
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
    files.forEach(ProfileCommand::requireFile);
    List<ReadProfile> profiles;
    try (Plugins plugins = pluginOptions.load(stage)) {
      profiles = List.copyOf(reading(plugins).read(requests()).values());
    }
    ProfileSet set = ProfileSet.of(profiles.stream().map(ReadProfile::profile).toList());
    List<ReadProfile> warned =
        set.ranks().size() > 1 ? profiles : profiles.stream().map(ProfileCommand::alone).toList();
    if (json) {
      Json.print(stage.world().out(), ProfileJson.of(warned, set));
    } else {
      ProfileText.print(stage.world().out(), warned, set);
    }
    warned.forEach(each -> each.notes().forEach(stage::say));
    if (fit != null) {
      write(fit, HardwareFit.of(profiles.stream().map(ReadProfile::profile).toList()));
    }
    return ExitCode.DONE;
  }

  private ProfileReading reading(Plugins plugins) {
    Map<String, Map<String, String>> options = new TreeMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      int dot = setting.indexOf('.');
      if (dot < 1 || equals < dot + 2) {
        throw new InputException(
            "--set",
            "'" + setting + "' sets no option of an importer",
            "Write it like kineto.OPTION=VALUE.");
      }
      options
          .computeIfAbsent(setting.substring(0, dot), name -> new TreeMap<>())
          .put(setting.substring(dot + 1, equals), setting.substring(equals + 1));
    }
    return new ProfileReading(stage, plugins, options);
  }

  private List<Request> requests() {
    return files.stream()
        .distinct()
        .map(file -> new Request(file, importer, Map.of(), importer.isEmpty() ? "" : "--importer"))
        .toList();
  }

  private static void write(Path file, String text) {
    Path name = file.getFileName();
    if (name == null) {
      throw new WorkException(file.toString(), "is no file", "Name a file.");
    }
    try {
      Path beside = file.resolveSibling(name + ".tmp");
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new WorkException(file.toString(), "cannot be written", "Is its folder there?");
    }
  }

  private static void requireFile(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new InputException(
          file.toString(),
          Files.exists(file) ? "is not a file" : "does not exist",
          "Name a profile, as .json or .json.gz.");
    }
  }

  /** With the warning that is due where only one rank was measured. */
  private static ReadProfile alone(ReadProfile profile) {
    boolean waits =
        profile.profile().operators().stream()
            .map(MeasuredOperator::kind)
            .anyMatch(MeasuredOperator.Kind::isCommunication);
    if (!waits) {
      return profile;
    }
    List<Diagnostic> notes = new ArrayList<>(profile.notes());
    notes.add(
        new Diagnostic(
            Severity.WARNING,
            profile.file().toString(),
            "is of one rank only: the times of its collectives hold waiting for the other ranks,"
                + " and are upper bounds",
            "Name the profiles of several ranks of the same run."));
    return new ReadProfile(profile.file(), profile.importer(), profile.profile(), notes);
  }
}
