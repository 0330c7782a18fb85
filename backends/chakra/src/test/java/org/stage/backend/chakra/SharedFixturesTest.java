package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;

/**
 * Sets made by others, where they are at hand: in the folder that the system property {@code
 * stage.shared} names, or in a folder {@code shared} beside the checkout.
 */
final class SharedFixturesTest {
  @TestFactory
  Stream<DynamicTest> aBadSetHasAFault() throws IOException {
    return sets("fixtures_bad")
        .map(
            set ->
                DynamicTest.dynamicTest(
                    String.valueOf(set.getFileName()), () -> assertThat(errors(set)).isNotEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> aGoodSetHasNone() throws IOException {
    return sets("fixtures_good")
        .map(
            set ->
                DynamicTest.dynamicTest(
                    String.valueOf(set.getFileName()), () -> assertThat(errors(set)).isEmpty()));
  }

  private static List<Diagnostic> errors(Path set) throws IOException {
    return new ChakraValidator()
        .validate(set, Progress.NONE).diagnostics().stream()
            .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
            .toList();
  }

  private static Stream<Path> sets(String kind) throws IOException {
    Optional<Path> found =
        candidates()
            .map(shared -> shared.resolve("data/astra-sim").resolve(kind))
            .filter(Files::isDirectory)
            .findFirst();
    assumeTrue(found.isPresent(), "no shared data here");
    try (Stream<Path> sets = Files.list(found.orElseThrow())) {
      return sets.filter(Files::isDirectory).sorted().toList().stream();
    }
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
