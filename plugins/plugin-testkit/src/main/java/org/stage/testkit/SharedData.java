package org.stage.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Files made by others, which stand in no repository: in the folder that the system property {@code
 * stage.shared} names, or in a folder {@code shared} beside the checkout or above. A test that asks
 * for what is not there is skipped.
 */
public final class SharedData {
  private SharedData() {}

  /**
   * A folder or file of them.
   *
   * @param path below that folder, with slashes: {@code data/simai}
   */
  public static Path get(String path) {
    return candidates()
        .map(shared -> shared.resolve(path))
        .filter(Files::exists)
        .findFirst()
        .orElseGet(() -> Assumptions.abort("no shared " + path + " here"));
  }

  private static Stream<Path> candidates() {
    String property = System.getProperty("stage.shared");
    Stream<Path> named = property == null ? Stream.empty() : Stream.of(Path.of(property));
    Stream<Path> above =
        Stream.iterate(Path.of("").toAbsolutePath(), each -> each != null, Path::getParent)
            .map(each -> each.resolve("shared"));
    return Stream.concat(named, above);
  }
}
