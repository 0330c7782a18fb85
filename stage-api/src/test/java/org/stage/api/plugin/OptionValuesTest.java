package org.stage.api.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;

class OptionValuesTest {
  private static final List<Option> DECLARED =
      List.of(
          Option.ofString("prefix", "trace", "help"),
          Option.ofInteger("level", 6, "help"),
          Option.ofBoolean("gzip", true, "help"),
          Option.ofChoice("order", List.of("global", "per-group"), "help"));

  private static OptionValues of(Map<String, String> given) {
    return OptionValues.of("w.yaml, line 3", DECLARED, given);
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    OptionValues values = of(Map.of());
    assertThat(values.get("prefix")).isEqualTo("trace");
    assertThat(values.integer("level")).isEqualTo(6);
    assertThat(values.isSet("gzip")).isTrue();
    assertThat(values.get("order")).isEqualTo("global");
  }

  @Test
  void whatIsGivenCounts() {
    OptionValues values =
        of(Map.of("prefix", "", "level", "-9", "gzip", "false", "order", "per-group"));
    assertThat(values.get("prefix")).isEmpty();
    assertThat(values.integer("level")).isEqualTo(-9);
    assertThat(values.isSet("gzip")).isFalse();
    assertThat(values.get("order")).isEqualTo("per-group");
  }

  @ParameterizedTest
  @CsvSource({
    "level, six, a whole number",
    "level, 1.5, a whole number",
    "level, '', a whole number",
    "level, 9223372036854775808, a whole number",
    "gzip, yes, true or false",
    "gzip, TRUE, true or false",
    "order, groups, global or per-group",
  })
  void aValueOfAnotherTypeIsRefusedWithWhatWasExpected(String name, String value, String expected) {
    assertThatThrownBy(() -> of(Map.of(name, value)))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "w.yaml, line 3: option '%s' is '%s'. Expected %s.".formatted(name, value, expected));
  }

  @Test
  void anOptionThatIsNotDeclaredIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> of(Map.of("zip", "true")))
        .isInstanceOfSatisfying(
            InputException.class,
            e -> assertThat(e.diagnostic().severity()).isEqualTo(Severity.ERROR))
        .hasMessage(
            "w.yaml, line 3: option 'zip' is not known. Options: gzip, level, order, prefix.");
    assertThatThrownBy(() -> OptionValues.of("w", List.of(), Map.of("zip", "true")))
        .hasMessage("w: option 'zip' is not known. There are no options.");
  }

  @Test
  void aPluginCannotAskForWhatItDidNotDeclare() {
    assertThatThrownBy(() -> of(Map.of()).get("zip"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("option 'zip' is not declared");
  }

  @Test
  void aDefaultIsOneOfTheChoices() {
    List<String> choices = List.of("a", "b");
    assertThatThrownBy(() -> new Option("o", Option.Type.CHOICE, "c", choices, "help"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("option 'o' cannot have the default 'c'");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE})
  void wholeNumbersReachToBothEndsOf64Bits(long value) {
    assertThat(of(Map.of("level", Long.toString(value))).integer("level")).isEqualTo(value);
    assertThat(Option.ofInteger("n", value, "help").defaultValue()).isEqualTo("" + value);
  }
}
