package org.stage.api.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExprParserTest {
  private static final Expr A = Expr.symbol("a");

  @ParameterizedTest
  @CsvSource({
    "2*batch*embed*seq/tp + 3*embed, 2*batch*embed*seq/tp + 3*embed",
    "3*embed + 2*seq*batch*embed/tp, 2*batch*embed*seq/tp + 3*embed",
    "-a, -a",
    "-a^2, -a^2",
    "(-a)^2, a^2",
    "a - b - 1, a - b - 1",
    "a - (b - 1), a - b + 1",
    "a*(b + 1), a*b + a",
    "6/4*a, 3*a/2",
    "1/2, 1/2",
    "a/2, a/2",
    "-1/2*a, -a/2",
    "a/b/b, a/b^2",
    "a^-2, 1/a^2",
    "a ^ - 2 * b, b/a^2",
    "(a*b)^0, 1",
    "0*a, 0",
    "a^0, 1",
    "_x1 + X, X + _x1",
    "12345678901234567890123, 12345678901234567890123",
  })
  void textIsReadAndPrintedInOneForm(String text, String printed) {
    assertThat(Expr.parse(text)).hasToString(printed);
    assertThat(Expr.parse(printed)).isEqualTo(Expr.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "A", "Z", "_", "a0", "a9"})
  void allLettersAndDigitsMakeASymbol(String name) {
    assertThat(Expr.parse(name)).isEqualTo(Expr.symbol(name));
  }

  @Test
  void blanksMayStandAroundEachPart() {
    assertThat(Expr.parse(" - ( 2 * a ) ^ - 1 + b / 3 ")).hasToString("b/3 - 1/2/a");
  }

  @Test
  void anExponentHasUpToThreeDigits() {
    assertThat(Expr.parse("a^999")).isEqualTo(A.power(999));
    assertThat(Expr.parse("a^-999")).isEqualTo(A.power(-999));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "a b; 'b'; 3",
        "a**b; '*'; 3",
        "a); ')'; 2",
        "a^b; 'b'; 3",
        "a^1000; '0'; 6",
        "a^99999999999999999999; '9'; 6",
        "a.b; '.'; 2",
        "2a; 'a'; 2",
        "é; 'é'; 1",
        "٣; '٣'; 1",
        // the neighbours of letters and digits in ASCII
        "a`; '`'; 2",
        "a{; '{'; 2",
        "a@; '@'; 2",
        "a[; '['; 2",
        "2:; ':'; 2",
      })
  void theFirstCharacterThatDoesNotFitIsNamed(String text, String culprit, String place) {
    assertThatThrownBy(() -> Expr.parse(text))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(culprit, " " + place);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a +", "(a", "a^", "-"})
  void textThatStopsTooEarlyIsRefusedAtItsEnd(String text) {
    assertThatThrownBy(() -> Expr.parse(text))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("the end", " " + (text.length() + 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "min(seq, window)*heads; min(seq, window)*heads",
        "min ( b , a ,c ); min(a, b, c)",
        "max(a, b)^2/2; max(a, b)^2/2",
        "ceil(tokens/block); ceil(tokens/block)",
        "ceil((a + 1)/b); ceil(a/b + 1/b)",
        "sum( p in 1 .. n+1 : p^2 ); sum(i in 1..n + 1: i^2)",
        "sum(p in 0..10: min(p, w)) - 1; sum(i in 0..10: min(i, w)) - 1",
        "min + max*ceil*sum; ceil*max*sum + min",
        "min(min, max); min(max, min)",
        "mini; mini",
        "-(min(a, b)); -min(a, b)",
      })
  void functionsAreReadAndPrintedInOneForm(String text, String printed) {
    assertThat(Expr.parse(text)).hasToString(printed);
    assertThat(Expr.parse(printed)).isEqualTo(Expr.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "min(a); ')'; 6",
        "min(); ')'; 5",
        "min(a b); 'b'; 7",
        "min(a, ); ')'; 8",
        "max(a, b; the end; 9",
        "ceil(a, b); ','; 7",
        "sum(a, b); ','; 6",
        "sum(2 in 0..n: a); '2'; 5",
        "sum(; the end; 5",
        "sum(i of 0..n: a); 'o'; 7",
        "sum(i inner..n: a); 'i'; 7",
        "sum(i in 0.n: a); '.'; 11",
        "sum(i in 0..n, a); ','; 14",
        "sum(i in 0..n: a; the end; 17",
        "floor(a); '('; 6",
        "a(b); '('; 2",
        "2(b); '('; 2",
      })
  void whatDoesNotFitInAFunctionIsNamed(String text, String culprit, String place) {
    assertThatThrownBy(() -> Expr.parse(text))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(culprit + " at character " + place + " is not expected");
  }

  @Test
  void functionsAreNestedAsDeepAsParentheses() {
    assertThat(Expr.parse("ceil(".repeat(100) + "a/2" + ")".repeat(100)))
        .isEqualTo(Expr.parse("ceil(a/2)"));
    assertThat(Expr.parse("min(a, b)*".repeat(101) + "1")).isEqualTo(Expr.parse("min(a, b)^101"));
    assertThatThrownBy(() -> Expr.parse("min(".repeat(101)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'('", " 404");
  }

  @Test
  void aNulCharacterDoesNotEndTheText() {
    assertThatThrownBy(() -> Expr.parse("a\0b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hundredParenthesesAreDeepEnough() {
    assertThat(Expr.parse("(".repeat(100) + "a" + ")".repeat(100))).isEqualTo(A);
    assertThat(Expr.parse("(a)*".repeat(101) + "1")).isEqualTo(A.power(101));
    assertThatThrownBy(() -> Expr.parse("(".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'('", " 101");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1/(a + b)", "(a + b)^-1", "1/0", "0^-1", "1/(a - a)"})
  void textThatDividesBySomethingElseThanAProductIsRefused(String text) {
    assertThatThrownBy(() -> Expr.parse(text))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
