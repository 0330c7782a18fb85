package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;

/**
 * Files that AICB wrote, where they are at hand: in the folder that the system property {@code
 * stage.shared} names, or in a folder {@code shared} beside the checkout.
 */
final class SharedFixturesTest {
  @Test
  void whatAicbWritesHasNoFaults() throws IOException {
    Validation validation = validate("");
    assertThat(validation.summary()).matches("\\d+ files, [\\d,]+ rows");
    assertThat(errors(validation)).isEmpty();
  }

  @Test
  void ofTheEdgeCasesTheOneWithAFractionIsAFault() throws IOException {
    assertThat(errors(validate("edge_cases")))
        .extracting(Diagnostic::source)
        .containsExactly("float_time.txt, line 3");
  }

  private static List<Diagnostic> errors(Validation validation) {
    return validation.diagnostics().stream()
        .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .toList();
  }

  private static Validation validate(String folder) throws IOException {
    Optional<Path> found =
        candidates()
            .map(shared -> shared.resolve("data/simai").resolve(folder))
            .filter(Files::isDirectory)
            .findFirst();
    assumeTrue(found.isPresent(), "no shared data here");
    return new SimaiValidator().validate(found.orElseThrow(), Progress.NONE);
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
