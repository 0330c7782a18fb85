package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
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
public abstract class ExporterContract {
  private static final List<String> EVERY_RUN = List.of("first", "second", "third");

  @TempDir Path temp;

  /** A new object of the exporter under test. */
  protected abstract Exporter exporter();

  /**
   * Whether what stands in a file depends on which ranks were asked for, as a list of the files
   * does; by default in none.
   *
   * @param file its path under the directory, with slashes
   */
  protected boolean dependsOnRanks(String file) {
    return false;
  }

  @Test
  void hasANameADescriptionAndHelpForEachOption() {
    Exporter exporter = exporter();

    assertThat(exporter.name()).matches("[a-z][a-z0-9.-]{0,39}");
    assertThat(exporter.description()).isNotBlank().doesNotContain("\n");
    assertThat(exporter.options())
        .allSatisfy(
            option -> {
              assertThat(option.name()).matches("[a-z][a-z0-9-]*");
              assertThat(option.help()).isNotBlank().doesNotContain("\n");
            });
    assertThat(exporter.options()).extracting(Option::name).doesNotHaveDuplicates();
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
    Workload workload = Corpus.get(name);
    Path directory = folder(name);
    Set<String> missing = exporter().capabilities().missing(workload);
    if (missing.isEmpty()) {
      ExportReport report = TestExport.of(exporter()).run(workload, directory);
      assertThat(report.nodes()).isNotNegative();
      assertThat(FileTree.of(directory)).as("files of workload %s", name).isNotEmpty();
    } else {
      assertThat(failure(TestExport.of(exporter()), workload, directory))
          .as("refusal of workload %s, which asks for %s", name, missing)
          .isNotNull()
          .isInstanceOfAny(InputException.class, WorkException.class);
    }
  }

  @Test
  void writesTheSameBytesAgain() throws IOException {
    Exporter same = exporter();
    List<Map<String, String>> trees = new ArrayList<>();
    for (String run : EVERY_RUN) {
      Exporter exporter = trees.isEmpty() ? exporter() : same;
      trees.add(files(TestExport.of(exporter), richest(), run));
    }

    assertThat(trees.get(1)).isEqualTo(trees.get(0));
    assertThat(trees.get(2)).as("by the same object").isEqualTo(trees.get(0));
  }

  @Test
  void doesNotDependOnLocaleOrTimeZone() throws IOException {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    Map<String, String> here = files(TestExport.of(exporter()), richest(), "here");
    try {
      // a decimal comma and other digits; a dotless i in lower case; half an hour off
      for (String tag : List.of("de-DE", "tr-TR", "ar-EG-u-nu-arab")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        assertThat(files(TestExport.of(exporter()), richest(), tag)).as(tag).isEqualTo(here);
      }
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void writesUnderItsDirectoryOnly() throws IOException {
    Path directory = folder("outer/inner");
    List<String> working = names(Path.of(""));

    TestExport.of(exporter()).run(richest(), directory);

    assertThat(names(temp.resolve("outer"))).containsExactly("inner");
    assertThat(names(Path.of(""))).as("the working directory").isEqualTo(working);
    assertThat(FileTree.of(directory)).doesNotContainValue("is no regular file");
  }

  @Test
  void leavesItsDirectoryForNoNameOfAWorkload() throws IOException {
    for (String name : List.of("../escaped", "a/b", "..", ".", "")) {
      Path directory = Files.createDirectories(temp.resolve("names/inner"));
      @Nullable Throwable refusal =
          failure(TestExport.of(exporter()), Corpus.named(name), directory);
      if (refusal != null) {
        assertThat(refusal)
            .as("name '%s'", name)
            .isInstanceOfAny(InputException.class, WorkException.class);
      }
      assertThat(names(temp.resolve("names"))).as("name '%s'", name).containsExactly("inner");
    }
  }

  @Test
  void leavesOutRanksWithoutChangingTheOthersFiles() throws IOException {
    Workload workload = richest();
    Map<String, String> all = files(TestExport.of(exporter()), workload, "all");

    Map<String, String> some = files(TestExport.of(exporter()).ranks("0"), workload, "some");

    assertThat(some).isNotEmpty();
    some.keySet().removeIf(this::dependsOnRanks);
    assertThat(all).containsAllEntriesOf(some);
  }

  @TestFactory
  Stream<DynamicTest> takesOrRefusesEveryValueOfAnOption() {
    return exporter().options().stream()
        .flatMap(option -> values(option).map(value -> Map.entry(option.name(), value)))
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey() + "=" + each.getValue(),
                    () -> takesOrRefuses(each.getKey(), each.getValue())));
  }

  private void takesOrRefuses(String option, String value) throws IOException {
    TestExport export = TestExport.of(exporter()).option(option, value);
    Path directory = Files.createTempDirectory(temp, "option");
    @Nullable Throwable refusal = failure(export, richest(), directory);
    if (refusal != null) {
      assertThat(refusal).isInstanceOfAny(InputException.class, WorkException.class);
      assertThat(refusal).hasMessageContaining(option);
    }
  }

  private static Stream<String> values(Option option) {
    return switch (option.type()) {
      case BOOLEAN -> Stream.of("true", "false");
      case CHOICE -> option.choices().stream();
      case INTEGER -> Stream.of("0", "1", "-1", "" + Long.MAX_VALUE, "" + Long.MIN_VALUE);
      case STRING -> Stream.of("", "a b", "../x", "\u0000", "é漢🚀");
    };
  }

  @Test
  void takesNamesOfAnyCharacters() throws IOException {
    Workload workload =
        Corpus.chain(List.of("слой.注意力", "a,b;\"c\"", "it's <b> & 'x'", "two\nlines", "🚀", "\\"));

    assertThat(files(TestExport.of(exporter()), workload, "names")).isNotEmpty();
  }

  @Test
  void takesAChainOfTenThousandNodes() throws IOException {
    List<String> names = Collections.nCopies(10_000, "layer");

    assertThat(files(TestExport.of(exporter()), Corpus.chain(names), "long")).isNotEmpty();
  }

  @Test
  void asksWhetherToStopAndStops() throws IOException {
    Workload workload = richest();
    AtomicInteger checks = new AtomicInteger();
    TestExport.of(exporter()).onCheck(checks::incrementAndGet).run(workload, folder("run"));
    assertThat(checks.get())
        .as("calls of checkCancelled(), of which there is one for each file at least")
        .isPositive();

    Runnable stop =
        () -> {
          throw new CancellationException("stopped");
        };
    assertThatThrownBy(
            () -> TestExport.of(exporter()).onCheck(stop).run(workload, folder("stopped")))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void reportsProgressUpToTheTotal() throws IOException {
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());

    TestExport.of(exporter())
        .progress(
            (done, total, unit) -> {
              if (done < 0 || done > total || unit.isBlank()) {
                wrong.add(done + " of " + total + " " + unit);
              }
            })
        .run(richest(), folder("progress"));

    assertThat(wrong).isEmpty();
  }

  @Test
  void failsWhereItCannotWrite() {
    Path nowhere = temp.resolve("not/there");

    assertThat(failure(TestExport.of(exporter()), richest(), nowhere))
        .isInstanceOfAny(IOException.class, UncheckedIOException.class, WorkException.class);
  }

  /** The first of the corpus, beginning with the one that uses most, that can be said. */
  private Workload richest() {
    List<String> names = new ArrayList<>(Corpus.names());
    Collections.reverse(names);
    return names.stream()
        .map(Corpus::get)
        .filter(workload -> exporter().capabilities().missing(workload).isEmpty())
        .findFirst()
        .orElseGet(() -> Corpus.get(Corpus.ONE_DEVICE));
  }

  private Map<String, String> files(TestExport export, Workload workload, String folder)
      throws IOException {
    Path directory = folder(folder);
    export.run(workload, directory);
    return FileTree.of(directory);
  }

  private static @Nullable Throwable failure(TestExport export, Workload workload, Path directory) {
    try {
      export.run(workload, directory);
      return null;
    } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
      return e;
    }
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(temp.resolve(name));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }
}
