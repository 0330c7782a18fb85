package org.stage.api.text;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Words of the textual forms: names, quoted where they must be, and the constants of enums. */
public final class Words {
  private static final int SUGGESTIONS = 3;

  private Words() {}

  /** Whether {@code c} may stand in a name of the symbolic graph. */
  public static boolean isName(int c) {
    return ('a' <= c && c <= 'z')
        || ('A' <= c && c <= 'Z')
        || ('0' <= c && c <= '9')
        || c == '_'
        || c == '.';
  }

  /** Whether {@code c} may stand in a word that is not quoted. */
  public static boolean isBare(int c) {
    return isName(c) || c == '-' || c == '#' || c == '/';
  }

  /** {@code word} as it is printed: quoted if {@link #read} would not take it bare. */
  public static String print(String word) {
    if (!word.isEmpty() && word.chars().allMatch(Words::isBare)) {
      return word;
    }
    String escaped = word.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"';
  }

  /** The word at {@code cursor}; {@code what} names it. */
  public static String read(Cursor cursor, String what) {
    if (!cursor.take("\"")) {
      return cursor.run(Words::isBare, what);
    }
    return cursor.quoted();
  }

  /**
   * The constant whose {@code text} stands at {@code cursor}; refuses others with the nearest ones.
   */
  public static <E> E constant(
      Cursor cursor, String what, E[] constants, Function<E, String> text) {
    String word = cursor.run(Words::isBare, what);
    for (E constant : constants) {
      if (text.apply(constant).equals(word)) {
        return constant;
      }
    }
    List<String> texts = Arrays.stream(constants).map(text).toList();
    throw cursor.refusal(
        "'" + word + "' is not " + what + "; nearest: " + String.join(", ", nearest(word, texts)));
  }

  /** The name of a constant in lower case with dashes. */
  public static String dashed(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The few of {@code candidates} that are most like {@code word}, the most like first. */
  public static List<String> nearest(String word, List<String> candidates) {
    return candidates.stream()
        .sorted(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .limit(SUGGESTIONS)
        .toList();
  }

  /** Insertions, deletions and replacements that turn {@code a} into {@code b} (Levenshtein). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
      }
    }
    return row[b.length()];
  }
}
