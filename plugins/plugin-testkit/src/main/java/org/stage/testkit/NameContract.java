package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.text.Words;
import org.stage.api.workload.Workload;

/**
 * What every exporter promises of names with quotes and other characters that mean something to
 * readers of files: it writes files that its format's reader takes, and that name each node as it
 * is called; or it refuses the workload by an {@link InputException} that quotes the name.
 */
abstract class NameContract extends RankSetContract {
  private static final List<String> NAMES =
      List.of(
          "say \"hi\"",
          "it's",
          "back\\slash",
          "ends\\",
          "\"",
          "two words",
          "é.漢",
          "100%d %s %n",
          "two\nlines",
          "$(x) `y` ${z}",
          "a,b;c:d#e=f",
          "<b>&amp;</b>",
          "{\"x\": [1]} // */");

  /** What checks files of the format; by default nothing, and files are only written. */
  protected Optional<TraceValidator> validator() {
    return Optional.empty();
  }

  /**
   * The names of nodes under {@code directory}, as a reader of the format reads them, and maybe
   * others; by default none, as of a format that has no names of nodes, and then they are not
   * looked at.
   *
   * @throws IOException if a file cannot be read
   */
  protected Set<String> nodeNames(Path directory) throws IOException {
    return Set.of();
  }

  /** What the format makes of a node's name; by default the name itself. */
  protected String inFiles(String name) {
    return name;
  }

  @TestFactory
  Stream<DynamicTest> writesOrRefusesEveryNameOfAWorkload() {
    return NAMES.stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> writesOrRefusesWorkload(name)));
  }

  private void writesOrRefusesWorkload(String name) throws IOException {
    writtenOrRefused(richest().withName(name), name);
    writtenOrRefused(ofModel(name), name);
  }

  private Workload ofModel(String model) {
    Workload plain = richest();
    return new Workload(
        plain.name(),
        model,
        plain.mesh(),
        plain.precision(),
        plain.hardware(),
        plain.network(),
        plain.classes());
  }

  @TestFactory
  Stream<DynamicTest> writesOrRefusesEveryNameOfANode() {
    return NAMES.stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> writesOrRefusesNode(name)));
  }

  private void writesOrRefusesNode(String name) throws IOException {
    Workload workload = withNodes(List.of(name));
    Optional<Path> directory = writtenOrRefused(workload, name);
    if (directory.isPresent()) {
      Set<String> read = nodeNames(directory.get());
      assertThat(read.isEmpty() || read.contains(inFiles(name)))
          .as("node '%s' is among those that are read, which are %s", name, read)
          .isTrue();
    }
  }

  @Test
  void writesNamesOfLetters() throws IOException {
    Optional<Path> directory = writtenOrRefused(withNodes(List.of("first", "second")), "first");

    assertThat(directory).as("files of nodes whose names are of letters").isPresent();
    Set<String> read = nodeNames(directory.get());
    assertThat(read.isEmpty() || read.containsAll(List.of(inFiles("first"), inFiles("second"))))
        .as("nodes first and second are among those that are read, which are %s", read)
        .isTrue();
  }

  /** Two devices that compute and reduce tensors; both nodes have a name of {@code names}. */
  private Workload withNodes(List<String> names) {
    List<String> nodes = new ArrayList<>();
    for (String name : names) {
      int id = nodes.size();
      String word = Words.print(name);
      nodes.add(
          "%d compute %s forward einsum shape=1x16x32x64 flops=65536 read=4096 written=8192"
              .formatted(id, word));
      nodes.add("%d all-reduce %s forward 1024xbf16 over tp:2 deps=%d".formatted(id + 1, word, id));
    }
    return prepared(Corpus.job("tp=2", "", nodes.toArray(String[]::new)));
  }

  /** Where the files are; empty if the name is refused. */
  private Optional<Path> writtenOrRefused(Workload workload, String name) throws IOException {
    Path directory = folder("name" + names(temp).size());
    @Nullable Throwable refusal = failure(trial(), workload, directory);
    if (refusal != null) {
      // a message is one line
      assertThat(refusal)
          .isInstanceOf(InputException.class)
          .hasMessageContaining(name.replace('\n', ' '));
      return Optional.empty();
    }
    assertThat(FileTree.of(directory)).as("files").isNotEmpty();
    Optional<TraceValidator> validator = validator();
    if (validator.isPresent()) {
      assertThat(TestValidation.errors(validator.get(), directory))
          .as("errors in files with the name '%s'", name)
          .isEmpty();
    }
    return Optional.of(directory);
  }
}
