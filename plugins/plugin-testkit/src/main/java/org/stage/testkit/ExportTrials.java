package org.stage.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.plugin.Exporter;
import org.stage.api.workload.Workload;

/** What tests of an exporter start from: what is tested, with what, and where its files go. */
abstract class ExportTrials {
  @TempDir Path temp;

  /** A new object of the exporter under test. */
  protected abstract Exporter exporter();

  /**
   * The workload to test with in place of one of the corpus; by default the same. A format that
   * cannot do without something, such as the hardware, adds it here.
   */
  protected Workload prepared(Workload workload) {
    return workload;
  }

  /**
   * Options to test with in place of their defaults, by name, as a user types them; by default
   * none.
   */
  protected Map<String, String> options() {
    return Map.of();
  }

  /**
   * Whether what stands in a file depends on which ranks were asked for, as a list of the files
   * does; by default in none.
   *
   * @param file its path under the directory, with slashes
   */
  protected boolean dependsOnRanks(String file) {
    return false;
  }

  /** A run of a new object of the exporter, with the options to test with. */
  final TestExport trial() {
    return TestExport.of(exporter()).options(options());
  }

  /** The first of the corpus, beginning with the one that uses most, that can be said. */
  final Workload richest() {
    List<String> names = new ArrayList<>(Corpus.names());
    Collections.reverse(names);
    return names.stream()
        .map(Corpus::get)
        .map(this::prepared)
        .filter(workload -> exporter().capabilities().missing(workload).isEmpty())
        .findFirst()
        .orElseGet(() -> prepared(Corpus.get(Corpus.ONE_DEVICE)));
  }

  final Map<String, String> files(TestExport export, Workload workload, String folder)
      throws IOException {
    Path directory = folder(folder);
    export.run(workload, directory);
    return FileTree.of(directory);
  }

  static @Nullable Throwable failure(TestExport export, Workload workload, Path directory) {
    try {
      export.run(workload, directory);
      return null;
    } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
      return e;
    }
  }

  final Path folder(String name) throws IOException {
    return Files.createDirectories(temp.resolve(name));
  }

  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }
}
