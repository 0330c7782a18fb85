package org.stage.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankSet;

/** Reads ranks as a user types them. */
final class Ranks {
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int DIGITS = 9;

  private Ranks() {}

  /** The ranks that {@code --ranks} names, out of {@code devices}; all of them if it is empty. */
  static RankSet wanted(String text, int devices) {
    return text.isEmpty()
        ? RankSet.of(IntStream.range(0, devices))
        : read("--ranks", text, devices);
  }

  /** The ranks that {@code option} names, out of {@code devices}. */
  static RankSet read(String option, String text, int devices) {
    // before it is read: a range of a thousand million ranks would be spelt out
    Matcher number = NUMBER.matcher(text);
    while (number.find()) {
      String rank = number.group();
      if (rank.length() > DIGITS || Integer.parseInt(rank) >= devices) {
        throw new InputException(
            option, "there is no rank " + rank, "Ranks are 0 to " + (devices - 1) + ".");
      }
    }
    try {
      return RankSet.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InputException(option, String.valueOf(e.getMessage()), "");
    }
  }
}
