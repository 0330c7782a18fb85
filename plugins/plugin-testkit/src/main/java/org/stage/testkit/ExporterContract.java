package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Workload;

/**
 * What every exporter promises. A plugin's test extends this class and says which exporter it is
 * about; what the format itself demands, the plugin tests besides.
 *
 * <pre>{@code
 * class MyExporterContractTest extends ExporterContract {
 *   protected Exporter exporter() {
 *     return new MyExporter();
 *   }
 * }
 * }</pre>
 */
public abstract class ExporterContract extends OutputContract {
  @Test
  void hasANameADescriptionAndHelpForEachOption() {
    Declarations.check(exporter());
  }

  @Test
  void declaresWhatItCanSayAndTheSameEachTime() {
    Exporter exporter = exporter();

    assertThat(exporter.capabilities().nodes())
        .as("kinds of nodes in capabilities(); a format that cannot say computation says nothing")
        .contains(NodeKind.COMPUTE);
    assertThat(exporter.capabilities()).isEqualTo(exporter.capabilities());
  }

  @TestFactory
  Stream<DynamicTest> writesWhatItDeclaresAndRefusesTheRest() {
    return Corpus.names().stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> writesOrRefuses(name)));
  }

  private void writesOrRefuses(String name) throws IOException {
    Workload workload = prepared(Corpus.get(name));
    Path directory = folder(name);
    Set<String> missing = exporter().capabilities().missing(workload);
    if (missing.isEmpty()) {
      ExportReport report = trial().run(workload, directory);
      assertThat(report.nodes()).isNotNegative();
      Set<String> lost = exporter().capabilities().lost(workload);
      assertThat(report.losses().isEmpty() && !lost.isEmpty())
          .as("no loss of workload %s, of which %s is declared as lost", name, lost)
          .isFalse();
      assertThat(FileTree.of(directory)).as("files of workload %s", name).isNotEmpty();
    } else {
      assertThat(failure(trial(), workload, directory))
          .as("refusal of workload %s, which asks for %s", name, missing)
          .isNotNull()
          .isInstanceOfAny(InputException.class, WorkException.class);
    }
  }

  @TestFactory
  Stream<DynamicTest> takesOrRefusesEveryValueOfAnOption() {
    return OptionSamples.trials(exporter().options(), this::takesOrRefuses);
  }

  private void takesOrRefuses(String option, String value) throws IOException {
    TestExport export = trial().option(option, value);
    Path directory = Files.createTempDirectory(temp, "option");
    @Nullable Throwable refusal = failure(export, richest(), directory);
    if (refusal != null) {
      assertThat(refusal).isInstanceOfAny(InputException.class, WorkException.class);
      assertThat(refusal).hasMessageContaining(option);
    }
  }

  @Test
  void keepsDependenciesOrSaysThatTheyAreLost() throws IOException {
    tellsApartOrSays("dependenc", Corpus.pair(true, 1024), Corpus.pair(false, 1024));
  }

  /** A size that is cut to 32 bits is that of its lower half. */
  @Test
  void keepsSizesBeyond32BitsOrSaysThatTheyAreLost() throws IOException {
    long small = 1 << 20;
    tellsApartOrSays("size", Corpus.pair(true, small + (1L << 32)), Corpus.pair(true, small));
  }

  /**
   * Holds that the files of both differ, or that a loss is reported that has {@code word} in it.
   */
  private void tellsApartOrSays(String word, Workload one, Workload other) throws IOException {
    Path first = folder("one");
    ExportReport report = trial().run(prepared(one), first);
    if (report.losses().stream().noneMatch(loss -> loss.message().contains(word))) {
      assertThat(FileTree.of(first))
          .as("files of two different jobs, and no loss of '%s...' is reported", word)
          .isNotEqualTo(files(trial(), prepared(other), "other"));
    }
  }

  @Test
  void takesNamesOfAnyCharacters() throws IOException {
    Workload workload =
        prepared(
            Corpus.chain(
                List.of("слой.注意力", "a,b;\"c\"", "it's <b> & 'x'", "two\nlines", "🚀", "\\")));

    assertThat(files(trial(), workload, "names")).isNotEmpty();
  }

  @Test
  void takesAChainOfTenThousandNodes() throws IOException {
    List<String> names = Collections.nCopies(10_000, "layer");

    assertThat(files(trial(), prepared(Corpus.chain(names)), "long")).isNotEmpty();
  }

  @Test
  void asksWhetherToStopAndStops() throws IOException {
    Workload workload = richest();
    AtomicInteger checks = new AtomicInteger();
    trial().onCheck(checks::incrementAndGet).run(workload, folder("run"));
    assertThat(checks.get())
        .as("calls of checkCancelled(), of which there is one for each file at least")
        .isPositive();

    Runnable stop =
        () -> {
          throw new CancellationException("stopped");
        };
    assertThatThrownBy(() -> trial().onCheck(stop).run(workload, folder("stopped")))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void reportsProgressUpToTheTotal() throws IOException {
    ProgressLog progress = new ProgressLog();

    trial().progress(progress).run(richest(), folder("progress"));

    assertThat(progress.wrong()).isEmpty();
  }
}
