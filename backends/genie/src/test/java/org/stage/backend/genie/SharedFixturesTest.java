package org.stage.backend.genie;

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
 * Files of the public branch, where they are at hand: in the folder that the system property {@code
 * stage.shared} names, or in a folder {@code shared} beside the checkout.
 */
final class SharedFixturesTest {
  @Test
  void theSamplesOfThePublicBranchHaveNoFault() throws IOException {
    Optional<Path> found =
        candidates()
            .map(shared -> shared.resolve("data/astra-sim/genie_branch"))
            .filter(Files::isDirectory)
            .findFirst();
    assumeTrue(found.isPresent(), "no shared data here");

    Validation validation = new GenieValidator().validate(found.orElseThrow(), Progress.NONE);

    assertThat(validation.diagnostics())
        .noneMatch(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .isEmpty();
    assertThat(validation.summary()).isEqualTo("4 ranks, 4 nodes");
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
