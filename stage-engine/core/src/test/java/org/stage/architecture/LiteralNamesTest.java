package org.stage.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a module file calls an axis, a parameter or an operator is known to that file and to the
 * rules of operators, and to no other code: a module of a user may call it something else. {@code
 * literal-names-meant-otherwise.txt} lists literals that are no such names, with the reason. An
 * entry that is not needed any more fails the test.
 */
class LiteralNamesTest {
  private static final String OTHERWISE = "literal-names-meant-otherwise.txt";
  private static final Set<String> OUTSIDE =
      Set.of(
          "stage-api",
          "stage-engine/app",
          "stage-engine/cli",
          "stage-engine/host",
          "plugins/plugin-testkit");

  /** {@code type; literal} of all that is found, rooms left out that may know the names. */
  private static Set<String> all() throws IOException {
    ModuleNames names = ModuleNames.ofAllModules();
    Set<String> found = new TreeSet<>();
    for (Source source : Source.ofAllModules()) {
      if (!OUTSIDE.contains(source.module()) && !source.type().startsWith("org.stage.operator.")) {
        LiteralNames.in(source, names).forEach(text -> found.add(source.type() + "; " + text));
      }
    }
    return found;
  }

  /** Whether an entry, whose type may be a package and a star and whose literal a star, is met. */
  private static boolean isMet(List<String> entry, String found) {
    String[] parts = found.split("; ", 2);
    String type = entry.get(0);
    boolean isOfType =
        type.endsWith(".*")
            ? parts[0].startsWith(type.substring(0, type.length() - 1))
            : parts[0].equals(type);
    return isOfType && (entry.get(1).equals("*") || entry.get(1).equals(parts[1]));
  }

  @Test
  void noLiteralRepeatsANameOfAModuleFile() throws IOException {
    Set<String> found = all();
    List<List<String>> unneeded = new ArrayList<>();
    for (List<String> entry : Entries.of(OTHERWISE)) {
      if (!found.removeIf(each -> isMet(entry, each))) {
        unneeded.add(entry);
      }
    }

    assertThat(found).as("literals that repeat a name of a module file").isEmpty();
    assertThat(unneeded).as("entries that nothing needs any more").isEmpty();
  }

  @Test
  void eachLiteralThatIsMeantOtherwiseHasAReason() throws IOException {
    assertThat(Entries.of(OTHERWISE)).allMatch(entry -> entry.size() == 3);
  }

  private static final String MODULE =
      """
      module: test
      axes: {core_seq: seq, kv_seq: 2*tokens}
      inputs: ['x[batch, heads]']
      parameters: ['router.weight[heads]', {when: bias, is: 'gain[heads]'}]
      operators:
        - 'scores: s[batch, heads], lse[batch]:statistic = rms_norm(x[batch, heads], gain[heads])'
        - {when: a, is: 'exp_sum: y[batch] = add(s[batch, heads])'}
        - {use: other, as: inner_part, inputs: [y], outputs: [y]}
      outputs: [y]
      """;

  private static Set<String> found(String module, String code) throws IOException {
    String text = "class A { void f() { " + code + "; } }";
    return LiteralNames.in(Source.of(module, "A", text), ModuleNames.of(MODULE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core_seq",
        "kv_seq",
        "seq",
        "tokens",
        "batch",
        "heads", // axes and sizes
        "rms_norm",
        "add", // kinds
        "router.weight",
        "exp_sum",
        "inner_part",
        ".weight",
        "router.",
        ".scores",
        ".lse"
      })
  void aNameIsFoundInAllModules(String name) throws IOException {
    String code = "g(\"%s\", x + \"no such name\")".formatted(name);
    assertThat(found("backends/dot", code)).containsExactly(name);
    assertThat(found("stage-engine/core", code)).containsExactly(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "s",
        "scores",
        "lse",
        "the heads",
        "training.weight",
        ".weightless",
        "...",
        ""
      })
  void whatIsShortAWordOrASentenceIsNotFound(String text) throws IOException {
    assertThat(found("stage-engine/core", "g(\"%s\")".formatted(text))).isEmpty();
  }

  @Test
  void aParameterOfOneWordIsFoundInTheEngineOnly() throws IOException {
    assertThat(found("stage-engine/core", "g(\"gain\")")).containsExactly("gain");
    assertThat(found("backends/dot", "g(\"gain\")")).isEmpty();
  }

  @Test
  void namesOfDerivedOperatorsAreFoundOutsideOfTheEngineOnly() throws IOException {
    String code = "g(\".wgrad\", \".dgrad\", \".grad_1\", \".sum\", \"weight-grad\")";
    assertThat(found("backends/dot", code)).containsExactly(".dgrad", ".grad_1", ".sum", ".wgrad");
    assertThat(found("stage-engine/core", code)).isEmpty();
  }

  @Test
  void namesOfFieldsAreLetPassButNotTheirValues() throws IOException {
    assertThat(found("backends/dot", "json.writeStringField(\"heads\", \"seq\")"))
        .containsExactly("seq");
    assertThat(found("backends/dot", "matcher.group(\"batch\").equals(\"seq\")"))
        .containsExactly("seq");
    assertThat(found("backends/dot", "group()")).isEmpty();
  }

  @Test
  void annotationsAreLetPass() throws IOException {
    assertThat(found("backends/dot", "} @SuppressWarnings(\"heads\") void h() {")).isEmpty();
  }
}
