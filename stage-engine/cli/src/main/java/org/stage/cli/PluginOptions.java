package org.stage.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.app.Session;
import picocli.CommandLine.Option;

/** Where plugins are, and what to do about bad ones. */
final class PluginOptions {
  private static final String VARIABLE = "STAGE_PLUGINS";

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = {
        "Loads the plugins in a folder too, as the environment variable STAGE_PLUGINS does.",
        "May be given again."
      })
  private List<Path> directories = new ArrayList<>();

  @Option(
      names = "--strict-plugins",
      description = "Stops when anything is wrong with a plugin, instead of going on without it.")
  private boolean strict;

  /** A session with these plugins. */
  Session open(Stage stage) {
    World world = stage.world();
    return new Session(() -> directories(world), world.pluginHome(), strict, stage);
  }

  private List<Path> directories(World world) {
    List<Path> all = new ArrayList<>();
    Optional<Path> own = world.home().map(home -> home.resolve("plugins"));
    own.filter(Files::isDirectory).ifPresent(all::add);
    world.pluginHome().filter(Files::isDirectory).ifPresent(all::add);
    for (String name : world.variable(VARIABLE).split(File.pathSeparator)) {
      if (!name.isBlank()) {
        all.add(existing(VARIABLE, Path.of(name)));
      }
    }
    directories.forEach(directory -> all.add(existing("--plugins", directory)));
    return all;
  }

  private static Path existing(String source, Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new InputException(
          source,
          directory + (Files.exists(directory) ? " is not a folder" : " does not exist"),
          "Name a folder that holds plugin JARs.");
    }
    return directory;
  }
}
