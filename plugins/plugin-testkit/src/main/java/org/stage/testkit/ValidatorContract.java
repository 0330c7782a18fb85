package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.plugin.TraceValidator.Validation;

/**
 * What every validator promises: that it tells a damaged file from a good one, and that the damaged
 * one is a result, not an exception. A plugin's test extends this class, says which validator it is
 * about, and writes a small good trace; what the format itself demands, the plugin tests besides.
 *
 * <pre>{@code
 * class MyValidatorContractTest extends ValidatorContract {
 *   protected TraceValidator validator() {
 *     return new MyValidator();
 *   }
 *
 *   protected Path writeSample(Path folder) throws IOException {
 *     return Files.writeString(folder.resolve("rank0.txt"), "compute 1200\n");
 *   }
 * }
 * }</pre>
 */
public abstract class ValidatorContract extends DamageContract<TraceValidator> {
  /** A new object of the validator under test. */
  protected abstract TraceValidator validator();

  @Override
  final TraceValidator plugin() {
    return validator();
  }

  @Override
  final Path input(Path file) {
    return file.resolveSibling("");
  }

  @Override
  final boolean accepts(TraceValidator validator, Path input) throws IOException {
    return validator.accepts(input);
  }

  @Override
  final Validation read(TraceValidator validator, Path input) throws IOException {
    return validator.validate(input, Progress.NONE);
  }

  /** The first error that it finds; what it throws is a fault. */
  @Override
  final @Nullable Diagnostic refusal(Path file) throws IOException {
    return TestValidation.errors(validator(), input(file)).stream().findFirst().orElse(null);
  }

  @Test
  void findsNothingWrongWithTheSample() throws IOException {
    assertThat(TestValidation.errors(validator(), input(sample("good")))).isEmpty();
  }

  @Test
  void saysInOneLineWhatItLookedAt() throws IOException {
    assertThat(read(validator(), input(sample("good"))).summary())
        .isNotBlank()
        .doesNotContain("\n");
  }

  @Test
  void reportsProgressUpToTheTotal() throws IOException {
    ProgressLog progress = new ProgressLog();

    validator().validate(input(sample("good")), progress);

    assertThat(progress.wrong()).isEmpty();
  }
}
