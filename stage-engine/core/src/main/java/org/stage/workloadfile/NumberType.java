package org.stage.workloadfile;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A key that takes a number. */
sealed interface NumberType extends KeyType {
  /**
   * A whole number.
   *
   * @param min smallest
   * @param max largest
   * @param word what may stand there instead; empty if nothing may
   */
  record Whole(long min, long max, String word) implements NumberType {
    private static final Pattern DIGITS = Pattern.compile("-?(0|[1-9][0-9]*)");

    @Override
    public String expected() {
      return "a whole number from " + min + " to " + max + (word.isEmpty() ? "" : ", or " + word);
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (!word.isEmpty() && node instanceof SourceNode.Scalar name && name.raw().equals(word)) {
        return Optional.empty();
      }
      if (!(node instanceof SourceNode.Scalar scalar)
          || scalar.form() != SourceNode.Form.WHOLE
          || !DIGITS.matcher(scalar.raw()).matches()) {
        return Optional.of(notANumber(node, expected()));
      }
      BigInteger value = new BigInteger(scalar.raw());
      boolean within =
          value.compareTo(BigInteger.valueOf(min)) >= 0
              && value.compareTo(BigInteger.valueOf(max)) <= 0;
      return within
          ? Optional.empty()
          : Optional.of(new Fault(scalar.text() + " is out of range", "Write " + expected() + "."));
    }
  }

  /**
   * A number that may have a fraction.
   *
   * @param zero whether it may be 0
   * @param max largest
   */
  record Decimal(boolean zero, double max) implements NumberType {
    private static final Pattern NUMBER =
        Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,4})?");

    @Override
    public String expected() {
      return "a number "
          + (zero ? "from 0" : "above 0")
          + " to "
          + String.format(Locale.ROOT, "%.0f", max);
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (!(node instanceof SourceNode.Scalar scalar)
          || !(scalar.form() == SourceNode.Form.WHOLE || scalar.form() == SourceNode.Form.DECIMAL)
          || !NUMBER.matcher(scalar.raw()).matches()) {
        return Optional.of(notANumber(node, expected()));
      }
      double value = Double.parseDouble(scalar.raw());
      return (value > 0 || (zero && value == 0)) && value <= max
          ? Optional.empty()
          : Optional.of(new Fault(scalar.text() + " is out of range", "Write " + expected() + "."));
    }
  }

  private static Fault notANumber(SourceNode node, String expected) {
    if (node instanceof SourceNode.Scalar scalar
        && scalar.form() == SourceNode.Form.WORD
        && scalar.raw().matches("-?[0-9]+(\\.[0-9]+)?")) {
      return new Fault(
          scalar.text() + " is text", "Remove the quotes; expected is " + expected + ".");
    }
    return new Fault(
        node.text() + " is not " + expected.replaceFirst(" (from|above) .*", ""),
        "Write " + expected + ".");
  }
}
