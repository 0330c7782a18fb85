package org.stage.backend.dot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

final class DotValidatorTest {
  @TempDir Path directory;

  static Iterable<String> workloads() {
    return Corpus.names();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void whatIsExportedHasNoFault(String name) throws IOException {
    TestExport.of(new DotExporter()).option("fold", "none").run(Corpus.get(name), directory);
    assertThat(faults()).isEmpty();
  }

  @Test
  void namesOfAnyCharactersHaveNoFault() throws IOException {
    List<String> names = List.of("слой", "a,b;\"c\"", "it's <b> & 'x'", "two\nlines", "🚀", "\\");
    TestExport.of(new DotExporter()).option("fold", "none").run(Corpus.chain(names), directory);
    assertThat(faults()).isEmpty();
    assertThat(new DotValidator().validate(directory, Progress.NONE).summary())
        .isEqualTo("1 drawing, 6 boxes, 5 edges");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "hello|'graph' is expected and not 'hello'",
        "digraph|a name is expected and not ''",
        "digraph { a [label=b]|a name is expected and not ''",
        "digraph { a [label] }|'=' is expected and not ']'",
        "digraph { a -> }|a name is expected and not '}'",
        "digraph { a [label=\"no end] }|a text has no end",
        "digraph { ? }|what is '?'?",
        "digraph { a } }|there is more behind the end",
        "digraph { a a -> b }|an edge ends at b, which is no box",
        "|'graph' is expected and not ''"
      })
  void whatGraphvizWouldNotReadIsAFault(String text, String fault) throws IOException {
    Files.writeString(directory.resolve("x.dot"), text == null ? "" : text);
    assertThat(faults()).anyMatch(message -> message.contains(fault));
  }

  @Test
  void framesInOneAnotherWithoutEndAreAFault() throws IOException {
    Files.writeString(directory.resolve("x.dot"), "digraph {" + "subgraph {".repeat(100_000));
    assertThat(faults()).containsExactly("frames stand in one another without end");
  }

  @Test
  void aLongTextIsRead() throws IOException {
    Files.writeString(
        directory.resolve("x.dot"),
        "digraph x { // words\n a [label=\"" + "\\\\b".repeat(1_000_000) + "\"]; }");
    assertThat(faults()).isEmpty();
  }

  @Test
  void bytesThatAreNoTextAreAFault() throws IOException {
    Files.write(directory.resolve("x.dot"), new byte[] {(byte) 0xC3, 0x28});
    assertThat(faults()).containsExactly("is no text in UTF-8");
  }

  @Test
  void aFolderWithoutADrawingIsNotTaken() throws IOException {
    assertThat(new DotValidator().accepts(directory)).isFalse();
    assertThat(faults()).containsExactly("there is no .dot file");
  }

  private List<String> faults() throws IOException {
    return new DotValidator()
        .validate(directory, Progress.NONE).diagnostics().stream()
            .map(Diagnostic::message)
            .toList();
  }
}
