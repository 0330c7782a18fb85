package org.stage.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.pf4j.PluginRepository;
import org.stage.api.diagnostic.InputException;

/**
 * The JARs that stand directly in some folders, in the order of folders, then of names. PF4J's own
 * repositories put those changed last first, whatever their folder, unpack zip files, and take a
 * folder that is not there for an empty one.
 */
record JarFolders(List<Path> folders) implements PluginRepository {
  @Override
  public List<Path> getPluginPaths() {
    return folders.stream().flatMap(folder -> jars(folder).stream()).toList();
  }

  private static List<Path> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> LoadedPlugin.fileName(file).endsWith(".jar"))
          .sorted(Comparator.comparing(LoadedPlugin::fileName))
          .toList();
    } catch (IOException e) {
      throw new InputException(
          "plugin folder", Failures.text(e), "Name a folder that holds plugin JARs.");
    }
  }

  @Override
  public boolean deletePluginPath(Path jar) {
    try {
      return Files.deleteIfExists(jar);
    } catch (IOException e) {
      throw new PluginRefused("it cannot be deleted: " + Failures.text(e), "Delete it.", e);
    }
  }
}
