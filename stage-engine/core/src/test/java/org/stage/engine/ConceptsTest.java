package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Analysis;
import org.stage.operator.OperatorRules;

/** What the page on concepts says in numbers is what the engine does. */
class ConceptsTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "concepts.md");
  private static final String START = "<!-- costs: made from OperatorRules -->\n";
  private static final String END = "<!-- end of costs -->\n";

  @Test
  void thePageHoldsTheCostsOfAllOperators() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(START).containsOnlyOnce(END);
    String expected =
        page.substring(0, page.indexOf(START) + START.length())
            + OperatorRules.standard().rules().values().stream()
                .map(rule -> row(rule.kind().text(), rule.products(), rule.costPerElement()))
                .collect(
                    Collectors.joining(
                        "", "| operator | products | other |\n| --- | --- | --- |\n", ""))
            + page.substring(page.indexOf(END));
    if ("write".equals(System.getProperty("stage.golden"))) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE).content().isEqualTo(expected);
  }

  private static String row(String kind, int products, int cost) {
    return "| `" + kind + "` | " + products + " | " + cost + " |\n";
  }

  @Test
  void theWorkedExampleIsWhatTheEngineDerives() throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("```yaml\n") + "```yaml\n".length();
    String job = page.substring(start, page.indexOf("```", start));
    Analysis.OfClass rank = Jobs.job(job).analysis().classes().get(0);
    String table =
        rank.traffic().stream()
            .sorted(Comparator.comparing(Analysis.Traffic::kind))
            .map(
                t ->
                    "| %s | %s:%d | %s | %d | %d |\n"
                        .formatted(
                            t.kind(),
                            t.axis(),
                            t.groupSize(),
                            t.type().text(),
                            t.count(),
                            t.elements()))
            .collect(
                Collectors.joining(
                    "",
                    "| kind | group | type | times | elements |\n| --- | --- | --- | --- | --- |\n",
                    ""));
    assertThat(page).contains(table + "\n");
  }
}
