package org.stage.backend.scalesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;

/**
 * Files that both versions of the simulator loaded, where they are at hand: in the folder that the
 * system property {@code stage.shared} names, or in a folder {@code shared} beside the checkout.
 */
final class SharedFixturesTest {
  @Test
  void filesThatTheSimulatorsLoadedHaveNoFault() throws IOException {
    Optional<Path> found =
        candidates()
            .map(shared -> shared.resolve("data/scalesim"))
            .filter(Files::isDirectory)
            .findFirst();
    assumeTrue(found.isPresent(), "no shared data here");

    Validation validation = new ScaleSimValidator().validate(found.orElseThrow(), Progress.NONE);

    assertThat(validation.diagnostics())
        .noneMatch(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .isNotEmpty();
    assertThat(validation.summary()).startsWith("5 topologies");
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
