package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.plugin.kineto.format.Condition;
import org.stage.plugin.kineto.format.Damage;
import org.stage.plugin.kineto.format.Trace;

/** What was lost, skipped or guessed. Quotes nothing of the file but numbers and places. */
final class Notes {
  private static final String AGAIN = "Record or copy the profile again for complete times.";

  private final List<Diagnostic> notes = new ArrayList<>();
  private final String source;

  Notes(String source) {
    this.source = source;
  }

  List<Diagnostic> all() {
    return notes;
  }

  void condition(Condition condition, Coverage coverage) {
    if (condition.truncatedAt() >= 0) {
      warn(
          (condition.isCut() ? "is compressed, and ends too early: " : "")
              + "ends in the middle at byte "
              + number(condition.truncatedAt())
              + " (profile cut short?)",
          "Read "
              + number(coverage.kernels().count())
              + " kernels up to there; times are incomplete.");
    } else if (condition.isCut()) {
      warn("is compressed, and its last bytes are missing or wrong", AGAIN);
    }
    if (condition.damagedEvents() > 0) {
      damaged(condition);
    }
    if (condition.brokenAt() >= 0) {
      warn(
          "is broken outside of its events at byte " + number(condition.brokenAt()),
          "What it says of itself there is lost, its events are not.");
    }
    if (condition.trailingAt() >= 0) {
      warn(
          "goes on behind its end at byte " + number(condition.trailingAt()),
          "What follows is not read; split the file if it holds several profiles.");
    }
  }

  private void damaged(Condition condition) {
    String places =
        condition.damages().stream().map(Notes::place).collect(Collectors.joining("; "));
    boolean more = condition.damagedEvents() > condition.damages().size();
    long lost = condition.damagedEvents() - condition.mendedEvents();
    warn(
        number(condition.damagedEvents())
            + " broken events, at "
            + places
            + (more ? "; and others" : "")
            + ": "
            + number(condition.mendedEvents())
            + " mended, "
            + number(lost)
            + " lost",
        lost == 0 ? "" : AGAIN);
  }

  private static String place(Damage damage) {
    return "byte " + number(damage.offset()) + ", line " + number(damage.line());
  }

  void rejected(Trace trace) {
    if (!trace.rejections().isEmpty()) {
      Map<Trace.Rejection, Long> sorted = new TreeMap<>(trace.rejections());
      warn(
          "kernels and copies without a time that can be used: "
              + sorted.entrySet().stream()
                  .map(each -> word(each.getKey()) + " " + number(each.getValue()))
                  .collect(Collectors.joining(", ")),
          "They are left out.");
    }
  }

  private static String word(Trace.Rejection reason) {
    return switch (reason) {
      case MISSING -> "duration missing";
      case NEGATIVE -> "duration negative";
      case ZERO -> "duration zero";
      case NO_START -> "beginning missing";
    };
  }

  void rank(Ranks ranks) {
    if (ranks.rank().isEmpty()) {
      warn(
          "does not say its rank, which is taken to be 0",
          "Put it into the name of the file, as rank3.json.gz, or give the option rank.");
    } else if (!ranks.certain()) {
      note("is taken to be of rank " + ranks.rank().getAsInt() + ", by " + ranks.from());
    }
  }

  void overlaps(Timeline timeline, boolean clipped) {
    if (timeline.overlaps() > 0) {
      warn(
          number(timeline.overlaps())
              + " kernels begin before an earlier one of their stream is over, by "
              + number(timeline.overlapNs() / 1_000)
              + " us together",
          clipped
              ? "Each was made to end where the next begins."
              : "If the clock of the profiler failed, read with the option clip-overlaps.");
    }
  }

  void repeated(Set<String> keys) {
    if (!keys.isEmpty()) {
      warn(
          "says more than once: " + String.join(", ", new TreeSet<>(keys)),
          "The last counts; if the file was put together from several, name each by itself.");
    }
  }

  /**
   * What is in it.
   *
   * @param begins events that say where something begins, but not how long it takes
   * @param graphKernels kernels that were launched as part of a graph
   */
  void contents(Profile profile, long begins, long graphKernels) {
    Coverage coverage = profile.coverage();
    if (coverage.kernels().count() == 0 && begins > 0) {
      warn(
          "no GPU events that can be used: "
              + number(begins)
              + " events say where they begin and end apart (ph B and E)",
          "Only complete events (ph X) are read, as the PyTorch profiler writes them.");
      return;
    }
    if (coverage.kernels().count() == 0) {
      warn(
          "no GPU events: holds no kernel whose time can be used",
          "Record with ProfilerActivity.CUDA, and let the profiled steps end before it stops.");
      return;
    }
    if (coverage.launches().orphans() > 0) {
      warn(
          number(coverage.launches().orphans())
              + " of "
              + number(coverage.kernels().count())
              + " kernels have no record of their launch, so that no operator is known for them",
          "They were launched before the profile began, or their correlation is missing.");
    }
    if (profile.steps().isEmpty()) {
      note("marks no steps: the whole of it counts as one");
    }
    shapes(profile, graphKernels);
    unknown(profile);
  }

  private void shapes(Profile profile, long graphKernels) {
    long products = 0;
    long unknown = 0;
    for (MeasuredOperator operator : profile.operators()) {
      if (operator.kind() == Kind.GEMM) {
        products += operator.count();
        unknown += operator.shape().matrix().equals(MatrixShape.NONE) ? operator.count() : 0;
      }
    }
    if (unknown > 0) {
      note(
          number(unknown)
              + " of "
              + number(products)
              + " matrix products are of unknown shape "
              + (graphKernels > 0
                  ? "("
                      + number(graphKernels)
                      + " kernels were launched by graphs, which have no"
                      + " operators: record without CUDA graphs)"
                  : profile.coverage().launches().owned() == 0
                      ? "(no kernel has an operator: record ProfilerActivity.CPU too, with"
                          + " record_shapes=True)"
                      : isShaped(profile)
                          ? "(their operators have no sizes, or none that say a product)"
                          : "(record with record_shapes=True)"));
    }
  }

  private static boolean isShaped(Profile profile) {
    return profile.operators().stream()
        .anyMatch(
            each -> each.shape().elements() > 0 || !each.shape().matrix().equals(MatrixShape.NONE));
  }

  private void unknown(Profile profile) {
    long unknown =
        profile.operators().stream()
            .filter(
                each -> each.kind() == Kind.OTHER_COMMUNICATION || each.kind() == Kind.SEND_RECV)
            .mapToLong(MeasuredOperator::count)
            .sum();
    if (unknown > 0) {
      warn(
          number(unknown) + " communication kernels do not tell which collective they are",
          "They are counted, and serve no calibration.");
    }
  }

  void missingCommunication(boolean called, boolean ran) {
    if (called && !ran) {
      warn(
          "calls collectives, but holds no communication kernel",
          "The profiler has lost them; record with a newer PyTorch.");
    }
  }

  private void warn(String message, String remedy) {
    notes.add(Diagnostic.warning(source, message, remedy));
  }

  private void note(String message) {
    notes.add(new Diagnostic(Severity.NOTE, source, message, ""));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
