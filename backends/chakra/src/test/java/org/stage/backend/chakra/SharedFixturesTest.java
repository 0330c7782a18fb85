package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.testkit.SharedData;

/** Sets made by others, where they are at hand. */
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
    Path found = SharedData.get("data/astra-sim").resolve(kind);
    try (Stream<Path> sets = Files.list(found)) {
      return sets.filter(Files::isDirectory).sorted().toList().stream();
    }
  }
}
