package org.stage.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code docs/architecture.md} says is where it says. */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private static String page() {
    try {
      return Files.readString(ROOT.resolve("docs/architecture.md"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> section(String heading) {
    return page().lines().dropWhile(line -> !line.equals(heading)).skip(1).toList().stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
        .skip(1)
        .toList();
  }

  private static Stream<String> quoted(String text) {
    return QUOTED.matcher(text).results().map((MatchResult found) -> found.group(1));
  }

  static Stream<String> answers() {
    return section("## Where do I add ...").stream();
  }

  @ParameterizedTest
  @MethodSource("answers")
  void everyAnswerNamesFilesThatExist(String row) {
    List<String> paths = quoted(row).filter(each -> each.matches("[\\w./-]+/[\\w./-]*")).toList();

    assertThat(paths).isNotEmpty().allSatisfy(path -> assertThat(ROOT.resolve(path)).exists());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedule",
        "module",
        "operator",
        "model family",
        "collective's cost",
        "key of the workload file",
        "backend",
        "importer"
      })
  void everyQuestionHasAnAnswer(String question) {
    assertThat(answers()).filteredOn(row -> row.startsWith("| " + question + " |")).hasSize(1);
  }

  @Test
  void thePackagesOfTheMapAreThoseOfTheEngine() throws IOException {
    List<String> named =
        section("## Packages of core, in the order in which data passes; none knows a later one")
            .stream()
            .flatMap(row -> quoted(row.split("\\|")[1]))
            .toList();
    try (Stream<Path> folders = Files.list(Path.of("src/main/java/org/stage"))) {
      assertThat(folders.map(folder -> folder.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  void theModulesOfTheMapAreThere() {
    assertThat(section("## Modules").stream().flatMap(row -> quoted(row.split("\\|")[1])))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(ROOT.resolve(path.replace("/*", ""))).exists());
  }
}
