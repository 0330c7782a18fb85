package org.stage.backend.simai.format;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the fields of a row as SimAI does, and checks them. */
final class RowCheck {
  private static final List<String> NAMES =
      List.of(
          "name",
          "dependency",
          "forward compute",
          "forward communication",
          "forward bytes",
          "input-grad compute",
          "input-grad communication",
          "input-grad bytes",
          "weight-grad compute",
          "weight-grad communication",
          "weight-grad bytes",
          "update");

  private static final int DEPENDENCY = 1;
  private static final int WEIGHT_GRAD = 9;
  private static final List<Integer> COMPUTES = List.of(2, 5, 8);
  private static final List<Integer> COMMS = List.of(3, 6, WEIGHT_GRAD);
  private static final List<Integer> NUMBERS = List.of(DEPENDENCY, 2, 4, 5, 7, 8, 10, 11);
  private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");

  /** The first of these that a word begins with is its kind, whatever follows. */
  private static final Pattern WORD =
      Pattern.compile("(ALLREDUCE|ALLGATHER|REDUCESCATTER|ALLTOALL)(.*)");

  private final Degrees degrees;
  private final FileFaults faults;

  RowCheck(Degrees degrees, FileFaults faults) {
    this.degrees = degrees;
    this.faults = faults;
  }

  /** Checks a row; false if SimAI reads nothing behind it. */
  boolean check(List<String> fields, List<Integer> lines) {
    for (int i : NUMBERS) {
      String text = fields.get(i);
      boolean whole = WHOLE.matcher(i == DEPENDENCY ? text.replaceFirst("^-", "") : text).matches();
      if (!whole) {
        faults.error(
            lines.get(i),
            NAMES.get(i) + " of row '" + fields.get(0) + "' is '" + text + "', no whole number",
            "SimAI loses this row and all behind it, without a message: no decimals and no signs, no"
                + " blanks in names, nothing behind a row.");
        return false;
      }
    }
    for (int i : COMPUTES) {
      // Up to here, the time rounded to a float still fits 31 bits.
      if (Long.parseLong(fields.get(i)) > Pass.MAX_NANOSECONDS + 1) {
        faults.error(
            lines.get(i),
            NAMES.get(i) + " is " + fields.get(i) + " ns",
            "SimAI never ends on 2147483521 ns and more: split it into rows.");
      }
    }
    for (int i : COMMS) {
      checkComm(fields.get(i), Long.parseLong(fields.get(i + 1)), i == WEIGHT_GRAD, lines.get(i));
    }
    return true;
  }

  private void checkComm(String word, long bytes, boolean weightColumn, int line) {
    if (word.equals("NONE")) {
      return;
    }
    Matcher parts = WORD.matcher(word);
    if (!parts.matches()) {
      faults.warning(
          line, "'" + word + "' is no communication", "SimAI takes it for NONE, silently.");
      return;
    }
    String suffix = parts.group(2);
    if (!List.of("", "_EP", "_DP_EP").contains(suffix)) {
      faults.warning(
          line,
          "'" + word + "' names a group that SimAI does not have",
          "It takes no time, silently: known are none, _EP and _DP_EP.");
      return;
    }
    checkColumn(word, suffix, weightColumn, line);
    if (degrees.tp() > 0) {
      checkSize(parts.group(1), suffix, bytes, weightColumn, line);
    }
  }

  private void checkColumn(String word, String suffix, boolean weightColumn, int line) {
    if (weightColumn && suffix.equals("_EP")) {
      faults.warning(
          line,
          word + " in the weight-grad column",
          "SimAI prices it for the data-parallel degree: use the other columns.");
    }
    if (!weightColumn && suffix.equals("_DP_EP")) {
      faults.warning(
          line,
          word + " outside the weight-grad column",
          "SimAI prices it for the tensor-parallel degree: use the weight-grad column.");
    }
  }

  private void checkSize(String kind, String suffix, long bytes, boolean weightColumn, int line) {
    int ranks = degrees.ranks(suffix, weightColumn);
    boolean small = 1 < bytes && bytes < Comm.SMALL_BYTES;
    if (!weightColumn && suffix.isEmpty() && ranks == 1 && !small) {
      faults.error(
          line,
          kind + " of " + bytes + " bytes in a tensor-parallel group of one",
          "SimAI divides by zero and reports a time of about 10^16 us: write NONE.");
    }
    boolean rated =
        suffix.isEmpty()
            ? !kind.equals("ALLREDUCE")
            : suffix.equals("_EP") && kind.equals("ALLTOALL");
    if (!weightColumn && rated && bytes > Comm.MAX_RATED_BYTES) {
      faults.error(
          line,
          kind + suffix + " of " + bytes + " bytes",
          "Beyond 16 GiB SimAI ends with status 0 and an empty result: split it into rows.");
    }
    if (small && ranks > 1 && Comm.smallNanoseconds(ranks) == 0) {
      faults.warning(
          line,
          kind + suffix + " of " + bytes + " bytes among " + ranks + " ranks",
          "SimAI knows times of messages below 1 MiB for 2, 4, 8 .. 128 ranks: it takes none.");
    }
  }
}
