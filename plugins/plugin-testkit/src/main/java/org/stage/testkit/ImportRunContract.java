package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Plugin;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.RunContext;

/** What every importer promises that is given a context: it heeds options, and stops when asked. */
abstract class ImportRunContract<P extends Plugin> extends DamageContract<P> {
  abstract Object read(P importer, Path input, RunContext context) throws IOException;

  @Override
  final Object read(P importer, Path input) throws IOException {
    return read(importer, input, TestImport.context(importer, Map.of()));
  }

  private Object read(Path input, Progress progress, Runnable onCheck) throws IOException {
    P importer = plugin();
    return read(importer, input, TestImport.context(importer, Map.of(), progress, onCheck));
  }

  @Test
  void asksWhetherToStopAndStops() throws IOException {
    Path input = input(sample("good"));
    AtomicInteger checks = new AtomicInteger();
    read(input, Progress.NONE, checks::incrementAndGet);
    assertThat(checks.get())
        .as("calls of checkCancelled(), of which there is one for each file at least")
        .isPositive();

    Runnable stop =
        () -> {
          throw new CancellationException("stopped");
        };
    assertThatThrownBy(() -> read(input, Progress.NONE, stop))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void reportsProgressUpToTheTotal() throws IOException {
    ProgressLog progress = new ProgressLog();

    read(input(sample("good")), progress, () -> {});

    assertThat(progress.wrong()).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> takesOrRefusesEveryValueOfAnOption() {
    return OptionSamples.trials(plugin().options(), this::takesOrRefuses);
  }

  private void takesOrRefuses(String option, String value) throws IOException {
    P importer = plugin();
    Path input = input(sample("option"));
    try {
      read(importer, input, TestImport.context(importer, Map.of(option, value)));
    } catch (InputException e) {
      assertThat(e).hasMessageContaining(option);
    }
  }
}
