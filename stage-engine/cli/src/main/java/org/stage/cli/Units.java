package org.stage.cli;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** Numbers for people: four digits and a decimal prefix. Exact numbers are in the JSON. */
final class Units {
  private static final MathContext FOUR_DIGITS = new MathContext(4);
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
  private static final List<String> PREFIXES =
      List.of("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q");

  private Units() {}

  /** For example {@code 1.234 PFLOP}. */
  static String flops(BigInteger flops) {
    return scaled(flops, "FLOP");
  }

  /** For example {@code 1.234 PFLOP}. */
  static String flops(long flops) {
    return flops(BigInteger.valueOf(flops));
  }

  /** For example {@code 12.3 GB}, of 10^9 bytes. */
  static String bytes(BigInteger bytes) {
    return scaled(bytes, "B");
  }

  /** For example {@code 12.3 GB}, of 10^9 bytes. */
  static String bytes(long bytes) {
    return bytes(BigInteger.valueOf(bytes));
  }

  /** For example {@code 8,030,261,248}. */
  static String count(Number number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** For example {@code 1 rank} or {@code 8 ranks}. */
  static String counted(long number, String what) {
    return count(number) + " " + what + (number == 1 ? "" : "s");
  }

  /** For example {@code 1.2}. */
  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
  }

  /** A decimal without zeros at its end: {@code 989} or {@code 989.5}. */
  static String decimal(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private static String scaled(BigInteger number, String unit) {
    BigDecimal value = new BigDecimal(number).round(FOUR_DIGITS);
    int prefix = 0;
    while (value.compareTo(THOUSAND) >= 0 && prefix < PREFIXES.size() - 1) {
      value = value.divide(THOUSAND, FOUR_DIGITS);
      prefix++;
    }
    return value.toPlainString() + " " + PREFIXES.get(prefix) + unit;
  }
}
