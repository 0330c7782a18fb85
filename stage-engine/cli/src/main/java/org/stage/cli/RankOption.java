package org.stage.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankSet;

/** Reads {@code --ranks}. */
final class RankOption {
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int DIGITS = 9;

  private RankOption() {}

  /** The ranks that {@code text} names, out of {@code devices}; all of them if it is empty. */
  static RankSet read(String text, int devices) {
    if (text.isEmpty()) {
      return RankSet.of(IntStream.range(0, devices));
    }
    // before it is read: a range of a thousand million ranks would be spelt out
    Matcher number = NUMBER.matcher(text);
    while (number.find()) {
      String rank = number.group();
      if (rank.length() > DIGITS || Integer.parseInt(rank) >= devices) {
        throw new InputException(
            "--ranks", "there is no rank " + rank, "Ranks are 0 to " + (devices - 1) + ".");
      }
    }
    try {
      return RankSet.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InputException("--ranks", String.valueOf(e.getMessage()), "");
    }
  }
}
