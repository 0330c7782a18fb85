package org.stage.host;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.pf4j.VersionManager;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ApiVersion;

/**
 * A user's own plugin folder: one JAR a plugin, called by its id.
 *
 * @param folder the folder; need not be there
 */
public record PluginStore(Path folder) {
  /**
   * What was installed.
   *
   * @param plugin the plugin in its place
   * @param warnings what is odd about it
   */
  public record Installed(LoadedPlugin plugin, List<Diagnostic> warnings) {}

  /**
   * Copies a plugin into the folder, in place of an older one of the same id. It is loaded and its
   * extensions are constructed first; the copy moves into place in one step.
   *
   * @param present the plugins there are
   * @throws InputException if it is broken, or would not be used beside those there are
   * @throws WorkException if the folder cannot be written
   */
  public Installed install(Path jar, Plugins present) {
    return install(jar, present, ApiVersion.current());
  }

  Installed install(Path jar, Plugins present, String apiVersion) {
    if (!Files.isRegularFile(jar) || LoadedPlugin.fileName(jar).endsWith(".zip")) {
      throw new InputException(
          jar.toString(),
          Files.exists(jar) ? "is not a JAR" : "does not exist",
          "Name the JAR of a plugin.");
    }
    Installed checked = checked(jar, present, apiVersion);
    try {
      Files.createDirectories(folder);
      Path work = Files.createTempDirectory(folder, ".install-");
      try {
        return move(Files.copy(jar, work.resolve(LoadedPlugin.fileName(jar))), checked);
      } finally {
        FileTrees.delete(work);
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Removes a plugin, be it broken or not.
   *
   * @param name its id, or the name of its file
   * @param present the plugins there are
   * @return the files that were removed
   * @throws InputException if it is not in the folder
   * @throws WorkException if the folder cannot be written
   */
  public List<Path> remove(String name, Plugins present) {
    try {
      List<Path> found = new ArrayList<>();
      List<String> ids = new ArrayList<>();
      for (Path jar : jars()) {
        String id = id(jar);
        ids.add(id);
        if (id.equals(name) || LoadedPlugin.fileName(jar).equals(name)) {
          Files.delete(jar);
          found.add(jar);
        }
      }
      if (found.isEmpty()) {
        throw notInstalled(name, ids, present);
      }
      return found;
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private Installed checked(Path jar, Plugins present, String apiVersion) {
    PluginHost host = new PluginHost(List.of(), issue -> {}, apiVersion);
    host.loadEach(List.of(jar));
    try (Plugins alone = new Plugins(host)) {
      List<Extension<?>> extensions = alone.extensions();
      for (Diagnostic issue : alone.issues()) {
        if (issue.severity() == Severity.ERROR) {
          throw new InputException(issue);
        }
      }
      LoadedPlugin plugin = alone.loaded().get(0);
      extensions.forEach(extension -> requireFreeName(extension, present));
      requireNewest(plugin, present);
      return new Installed(plugin, alone.issues());
    }
  }

  private static void requireFreeName(Extension<?> extension, Plugins present) {
    present
        .giver(extension.name(), extension.kinds())
        .filter(other -> !other.id().equals(extension.plugin().id()))
        .ifPresent(
            other -> {
              throw new InputException(
                  extension.plugin().toString(),
                  "'" + extension.name() + "' is already given by " + other,
                  "Remove that one first.");
            });
  }

  private void requireNewest(LoadedPlugin plugin, Plugins present) {
    VersionManager versions = present.manager().getVersionManager();
    for (LoadedPlugin other : present.loaded()) {
      if (other.id().equals(plugin.id())
          && !folder.equals(other.jar().getParent())
          && versions.compareVersions(other.version(), plugin.version()) >= 0) {
        throw new InputException(
            plugin.toString(),
            "would not be used, since " + other.jar() + " is " + other + ", which is not older",
            "Give it a newer version or another id.");
      }
    }
  }

  private Installed move(Path copy, Installed checked) throws IOException {
    LoadedPlugin plugin = checked.plugin();
    Path target = folder.resolve(plugin.id() + ".jar");
    try {
      Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(copy, target, StandardCopyOption.REPLACE_EXISTING);
    }
    // one that was put there by hand, under a name of its own
    for (Path jar : jars()) {
      if (!jar.equals(target) && id(jar).equals(plugin.id())) {
        Files.delete(jar);
      }
    }
    return new Installed(
        new LoadedPlugin(plugin.id(), plugin.version(), plugin.description(), target),
        checked.warnings());
  }

  private List<Path> jars() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> LoadedPlugin.fileName(file).endsWith(".jar") && !Files.isDirectory(file))
          .sorted()
          .toList();
    }
  }

  /** The plugin id, or where none can be read the name of the file without its ending. */
  private static String id(Path jar) {
    return ManifestFile.names(jar).stream()
        .findFirst()
        .orElseGet(() -> LoadedPlugin.fileName(jar).replaceFirst("\\.jar$", ""));
  }

  private InputException notInstalled(String name, List<String> ids, Plugins present) {
    for (LoadedPlugin plugin : present.loaded()) {
      if (plugin.id().equals(name)) {
        return new InputException(
            name,
            plugin + " is not in " + folder + " but in " + plugin.jar().getParent(),
            "Only what `stage plugins install` has put there is removed.");
      }
    }
    return new InputException(
        name,
        "no plugin of that name is installed",
        ids.isEmpty() ? "None is." : "There are: " + String.join(", ", ids) + ".");
  }

  private WorkException unwritable(IOException e) {
    return new WorkException(
        folder.toString(),
        "cannot be written: " + Failures.text(e),
        "Name a folder that you may write to by the environment variable STAGE_PLUGIN_HOME.",
        e);
  }
}
