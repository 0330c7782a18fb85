package org.stage.backend.chakra;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Files made by others: in the folder that the system property {@code stage.shared} names, or in a
 * folder {@code shared} beside the checkout. A test that asks for them is skipped where there are
 * none.
 */
final class SharedData {
  private SharedData() {}

  static Path astraSim() {
    Optional<Path> found =
        candidates()
            .map(shared -> shared.resolve("data/astra-sim"))
            .filter(Files::isDirectory)
            .findFirst();
    assumeTrue(found.isPresent(), "no shared data here");
    return found.orElseThrow();
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
