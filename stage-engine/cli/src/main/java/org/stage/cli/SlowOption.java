package org.stage.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.api.diagnostic.InputException;

/** Reads {@code --slow}. */
final class SlowOption {
  private static final String OPTION = "--slow";
  private static final Pattern FORM = Pattern.compile("([^:]*):(\\d{1,6}(?:\\.\\d{1,9})?)");

  private SlowOption() {}

  /** By rank, how many times longer its kernels take; only ranks that are slow. */
  static Map<Integer, Double> read(List<String> texts, int devices) {
    Map<Integer, Double> factors = new TreeMap<>();
    for (String text : texts) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new InputException(
            OPTION, "'" + text + "' is not RANKS:FACTOR", "For example --slow 5:1.2.");
      }
      double factor = Double.parseDouble(parts.group(2));
      if (factor <= 1) {
        throw new InputException(
            OPTION,
            "'" + text + "' makes nothing slower",
            "Give a factor above 1: 1.2 takes a fifth longer.");
      }
      RankOption.read(OPTION, parts.group(1), devices).stream()
          .forEach(rank -> put(factors, rank, factor));
    }
    return factors;
  }

  private static void put(Map<Integer, Double> factors, int rank, double factor) {
    if (factors.put(rank, factor) != null) {
      throw new InputException(OPTION, "rank " + rank + " is named twice", "");
    }
  }
}
