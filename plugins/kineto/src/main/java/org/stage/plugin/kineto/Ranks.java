package org.stage.plugin.kineto;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.plugin.kineto.format.Trace;

/**
 * Which rank a profile is of.
 *
 * @param rank the rank, if anything says
 * @param from what says so, for messages
 * @param certain whether it is the profile that says so
 */
record Ranks(OptionalInt rank, String from, boolean certain) {
  private static final Pattern RANK = Pattern.compile("(?i)rank[-_ ]?(\\d{1,7})(?!\\d)");
  private static final Pattern WORKER = Pattern.compile("(?i)worker(\\d{1,7})[_.]");
  private static final Pattern TENSOR_PARALLEL = Pattern.compile("-TP-(\\d{1,7})(?!\\d)");

  static Ranks of(Trace trace, String file) {
    if (trace.metadata().rank() >= 0) {
      return new Ranks(OptionalInt.of(trace.metadata().rank()), "distributedInfo", true);
    }
    if (trace.namedRank() >= 0) {
      return new Ranks(OptionalInt.of(trace.namedRank()), "a collective of all ranks", true);
    }
    for (Pattern pattern : new Pattern[] {RANK, WORKER}) {
      Matcher matcher = pattern.matcher(file);
      if (matcher.find()) {
        return of(matcher, "the name of the file");
      }
    }
    Matcher matcher = TENSOR_PARALLEL.matcher(file);
    return matcher.find()
        ? of(matcher, "the tensor-parallel rank in the name of the file")
        : new Ranks(OptionalInt.empty(), "", false);
  }

  private static Ranks of(Matcher matcher, String from) {
    return new Ranks(OptionalInt.of(Integer.parseInt(matcher.group(1))), from, false);
  }
}
