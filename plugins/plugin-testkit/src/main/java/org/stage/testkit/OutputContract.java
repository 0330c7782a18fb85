package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Exporter;

/** What every exporter promises of its files: the same bytes whatever happens around it. */
abstract class OutputContract extends NameContract {
  private static final List<String> EVERY_RUN = List.of("first", "second", "third");

  @Test
  void writesTheSameBytesAgain() throws IOException {
    Exporter same = exporter();
    List<Map<String, String>> trees = new ArrayList<>();
    for (String run : EVERY_RUN) {
      Exporter exporter = trees.isEmpty() ? exporter() : same;
      trees.add(files(TestExport.of(exporter).options(options()), richest(), run));
    }

    assertThat(trees.get(1)).isEqualTo(trees.get(0));
    assertThat(trees.get(2)).as("by the same object").isEqualTo(trees.get(0));
  }

  @Test
  void writesTheSameBytesOnSeveralThreadsAtOnce() throws Exception {
    Map<String, String> alone = files(trial(), richest(), "alone");
    ExecutorService threads = Executors.newFixedThreadPool(EVERY_RUN.size());
    try {
      List<Callable<Map<String, String>>> runs = new ArrayList<>();
      for (String run : EVERY_RUN) {
        runs.add(() -> files(trial(), richest(), run));
      }
      for (Future<Map<String, String>> run : threads.invokeAll(runs)) {
        assertThat(run.get()).isEqualTo(alone);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void doesNotDependOnLocaleOrTimeZone() throws IOException {
    Map<String, String> here = files(trial(), richest(), "here");

    ForeignLocale.each(tag -> assertThat(files(trial(), richest(), tag)).as(tag).isEqualTo(here));
  }

  @Test
  void writesUnderItsDirectoryOnly() throws IOException {
    Path directory = folder("outer/inner");
    List<String> working = names(Path.of(""));

    trial().run(richest(), directory);

    assertThat(names(temp.resolve("outer"))).containsExactly("inner");
    assertThat(names(Path.of(""))).as("the working directory").isEqualTo(working);
    assertThat(FileTree.of(directory)).doesNotContainValue("is no regular file");
  }

  @Test
  void leavesItsDirectoryForNoNameOfAWorkload() throws IOException {
    for (String name : List.of("../escaped", "a/b", "..", ".", "")) {
      Path directory = Files.createDirectories(temp.resolve("names/inner"));
      @Nullable Throwable refusal = failure(trial(), prepared(Corpus.named(name)), directory);
      if (refusal != null) {
        assertThat(refusal)
            .as("name '%s'", name)
            .isInstanceOfAny(InputException.class, WorkException.class);
      }
      assertThat(names(temp.resolve("names"))).as("name '%s'", name).containsExactly("inner");
    }
  }

  @Test
  void failsWhereItCannotWrite() {
    Path nowhere = temp.resolve("not/there");

    assertThat(failure(trial(), richest(), nowhere))
        .isInstanceOfAny(IOException.class, UncheckedIOException.class, WorkException.class);
  }
}
