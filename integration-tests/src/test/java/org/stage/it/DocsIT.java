package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The figures that pages print. A page says in a comment, which readers do not see, how its figures
 * are made:
 *
 * <pre>{@code
 * <!-- figures
 * job.yaml: {model: llama-3.1-8b, training: {global_batch: 8, seq: 8192}}
 * $ stage inspect job.yaml
 * 8,030,261,248
 * -->
 * }</pre>
 *
 * <p>A line with a file writes it, a line with a command runs it, each other line stands in what
 * the command prints and in the page. What depends on a machine or on the data of others has no
 * such comment.
 */
class DocsIT {
  private static final Pattern FIGURES =
      Pattern.compile("<!-- figures\n(.*?)\n-->", Pattern.DOTALL);
  private static final Pattern FILE = Pattern.compile("([\\w.-]+\\.(?:yaml|json)): (.*)");

  @TempDir Path temp;

  @TestFactory
  Stream<DynamicTest> eachFigureIsWhatItsCommandPrints() throws IOException {
    return pages().stream()
        .flatMap(
            page ->
                FIGURES
                    .matcher(text(page))
                    .results()
                    .map(
                        block ->
                            DynamicTest.dynamicTest(
                                page.getFileName() + ", at " + block.start(),
                                () -> check(page, block))));
  }

  @Test
  void somePageSaysHowItsFiguresAreMade() throws IOException {
    assertThat(pages()).filteredOn(page -> FIGURES.matcher(text(page)).find()).isNotEmpty();
  }

  private void check(Path page, MatchResult block) throws Exception {
    String shown = FIGURES.matcher(text(page)).replaceAll("");
    Path folder = Files.createTempDirectory(temp, "docs");
    String printed = "";
    for (String line : block.group(1).lines().toList()) {
      if (line.startsWith("$ stage ")) {
        List<String> words = List.of(line.substring("$ stage ".length()).split(" "));
        Command run = Command.stage(folder, Map.of(), words.toArray(String[]::new));
        assertThat(run.exit()).as(line + "\n" + run.err()).isZero();
        printed = run.out() + run.err();
      } else if (FILE.matcher(line).matches()) {
        MatchResult file = FILE.matcher(line).results().findFirst().orElseThrow();
        Files.writeString(folder.resolve(file.group(1)), file.group(2) + "\n");
      } else {
        assertThat(printed).as("%s, of which the page says: %s", page, line).contains(line);
        assertThat(shown).as("%s, of what a command prints: %s", page, line).contains(line);
      }
    }
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(Command.DIST.resolve("docs"))) {
      return Stream.concat(docs, Stream.of(Command.DIST.resolve("README.md")))
          .filter(page -> page.toString().endsWith(".md"))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }
}
