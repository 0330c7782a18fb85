package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;

/**
 * What ASTRA-sim prices otherwise than the network says, on networks of two dimensions and more:
 * groups that are listed, and messages, where two ends differ in several dimensions.
 */
final class Mispriced {
  private static final double ROUNDING = 1.01;

  private final Fabric fabric;
  private final Set<Integer> known = new HashSet<>();
  private final Map<String, Double> groups = new TreeMap<>();
  private int largestExchange;
  private int messages;
  private double worst = 1;
  private String example = "";

  Mispriced(Fabric fabric) {
    this.fabric = fabric;
  }

  /** A communicator that is listed, by the name of its group on the mesh. */
  void group(int communicator, String name, IntFunction<int[]> members) {
    if (!fabric.isFlat() && known.add(communicator)) {
      double factor = fabric.tooFast(members.apply(communicator));
      if (factor > ROUNDING || factor < 1 / ROUNDING) {
        groups.merge(name, factor, (one, other) -> further(one, other) ? one : other);
      }
    }
  }

  private static boolean further(double one, double other) {
    return Math.abs(Math.log(one)) >= Math.abs(Math.log(other));
  }

  /** An all-to-all on a group that is listed: as a ring it takes n/2 times as long. */
  void exchange(int members) {
    if (!fabric.isFlat()) {
      largestExchange = Math.max(largestExchange, members);
    }
  }

  /** A message. */
  void message(int source, int destination) {
    double factor = fabric.isFlat() ? 1 : fabric.tooFast(source, destination);
    if (factor > ROUNDING) {
      messages++;
      if (factor > worst) {
        worst = factor;
        example = source + " to " + destination;
      }
    }
  }

  /** Whether there is anything of the kind. */
  boolean any() {
    return !groups.isEmpty() || messages > 0 || largestExchange > 2;
  }

  /** What the user should know. */
  List<Diagnostic> warnings() {
    List<Diagnostic> warnings = new ArrayList<>();
    if (!groups.isEmpty()) {
      warnings.add(
          warning(
              "ASTRA-sim prices collectives on "
                  + listed()
                  + ", as it takes groups that are no"
                  + " product of whole network dimensions for one ring in the innermost of theirs",
              "Choose a mesh whose axes fill network dimensions, and leave `groups` at auto."));
    }
    if (largestExchange > 2) {
      warnings.add(
          warning(
              "ASTRA-sim runs all-to-alls on such groups as rings, which takes n/2 times as long"
                  + " (n up to "
                  + largestExchange
                  + ")",
              "Choose a mesh whose axes fill network dimensions, and leave `groups` at auto."));
    }
    if (messages > 0) {
      warnings.add(messages());
    }
    return warnings;
  }

  private Diagnostic messages() {
    return warning(
        "ASTRA-sim prices "
            + messages
            + " pairs of ranks at the innermost dimension in which they differ, where messages go"
            + " further: from rank "
            + example
            + " "
            + text(worst),
        "No trace can say it otherwise; a mesh on which pipeline stages are whole nodes has no such"
            + " messages.");
  }

  private String listed() {
    return groups.entrySet().stream()
        .map(each -> each.getKey() + " " + text(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String text(double factor) {
    return factor > 1
        ? String.format(Locale.ROOT, "%.2f times too fast", factor)
        : String.format(Locale.ROOT, "%.2f times too slow", 1 / factor);
  }

  private static Diagnostic warning(String message, String remedy) {
    return new Diagnostic(Severity.WARNING, "", message, remedy);
  }
}
