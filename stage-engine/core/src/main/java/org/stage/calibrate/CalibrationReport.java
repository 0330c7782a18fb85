package org.stage.calibrate;

import java.util.List;
import java.util.OptionalDouble;
import org.stage.api.profile.MeasuredOperator.Kind;

/**
 * What is known of the durations of a job, how well, and what of the profiles was not used.
 *
 * @param sources the profiles
 * @param lines what is known, by kind of work and level
 * @param residuals measured computation that stands for no work of the job, by kind, most first
 * @param prediction how far what nobody measured is to be trusted
 * @param steps a step as measured and as it is now in the job
 * @param use how much of the profiles stands for work of the job
 * @param warnings what to be careful of
 */
public record CalibrationReport(
    List<Source> sources,
    List<Line> lines,
    List<Residual> residuals,
    Prediction prediction,
    Steps steps,
    Use use,
    List<String> warnings) {
  /** Copies the lists. */
  public CalibrationReport {
    sources = List.copyOf(sources);
    lines = List.copyOf(lines);
    residuals = List.copyOf(residuals);
    warnings = List.copyOf(warnings);
  }

  /**
   * How far what nobody measured is to be trusted.
   *
   * @param beyond work whose class was measured, but at sizes that are too far from it, by kind
   * @param holdouts how far a shape is mispredicted whose own measurement is left out, by kind
   */
  public record Prediction(List<Beyond> beyond, List<Holdout> holdouts) {
    /** Copies the lists. */
    public Prediction {
      beyond = List.copyOf(beyond);
      holdouts = List.copyOf(holdouts);
    }
  }

  /** {@link Prediction#beyond}. */
  public List<Beyond> beyond() {
    return prediction.beyond();
  }

  /** {@link Prediction#holdouts}. */
  public List<Holdout> holdouts() {
    return prediction.holdouts();
  }

  /**
   * A profile.
   *
   * @param file where it comes from
   * @param device what was measured; may be empty
   * @param rank which rank, or -1
   * @param steps how many steps are used
   */
  public record Source(String file, String device, int rank, int steps) {}

  /**
   * The work of one kind whose durations are known at one level.
   *
   * @param kind the sort of work
   * @param level how they are known
   * @param nodes pieces of work of all ranks in a step
   * @param ns their durations together, nanoseconds; 0 where nothing tells
   * @param bytes of communication the input of all of them together
   * @param share of computation the share of the modelled time of all computation, estimates
   *     included; of communication the share of the bytes of all communication; empty where
   *     computation cannot be estimated, as no hardware is known
   */
  public record Line(
      Kind kind, Level level, long nodes, double ns, double bytes, OptionalDouble share) {}

  /**
   * Measured computation that no work of the job was given.
   *
   * @param kind the sort of work
   * @param ns nanoseconds in a step of a rank
   * @param largest the names that take longest, most first
   */
  public record Residual(Kind kind, double ns, List<Named> largest) {
    /** Copies the list. */
    public Residual {
      largest = List.copyOf(largest);
    }
  }

  /**
   * How much of the computation that was measured the job has, nanoseconds in a step of a rank.
   *
   * @param measured all of it
   * @param named what the job has by its name or shape
   * @param module what was called in a module that the job has
   * @param place what ran at the place of a node of the job
   * @param share what nodes of the job share, as nothing tells more
   * @param similar what serves as a measure for similar work of the job only
   */
  public record Use(
      double measured, double named, double module, double place, double share, double similar) {
    /** What the job was given for the same work, the shares aside. */
    public double matched() {
      return named + module + place;
    }

    /** What the job has nothing of. */
    public double unused() {
      return Math.max(0, measured - matched() - share - similar);
    }
  }

  /**
   * Measured work of one name.
   *
   * @param name as the profile calls it
   * @param ns nanoseconds in a step of a rank
   */
  public record Named(String name, double ns) {}

  /**
   * Work beyond the range in which its class was measured, so that the device of the job tells its
   * time, which is in {@link Line} among what is estimated.
   *
   * @param kind the sort of work
   * @param nodes pieces of work of all ranks in a step
   * @param ns their durations together by the device, nanoseconds; empty if nothing tells
   * @param distance how many times as large, or as small, as the nearest that was measured they are
   *     at most
   * @param factor how many times as long as the device tells they may take at most, since the
   *     nearest shapes did so and larger ones are no less efficient; empty if no device is known
   */
  public record Beyond(
      Kind kind, long nodes, OptionalDouble ns, double distance, OptionalDouble factor) {}

  /**
   * The error of prediction: each shape predicted from the others.
   *
   * @param kind the sort of work
   * @param shapes how many there are
   * @param medianFactor the median of {@code max(predicted / measured, measured / predicted)}
   * @param p90Factor its 90th percentile
   * @param timeFactor the factor within which shapes are that take 90 % of the measured time
   * @param worstFactor the largest of all shapes
   */
  public record Holdout(
      Kind kind,
      int shapes,
      double medianFactor,
      double p90Factor,
      double timeFactor,
      double worstFactor) {}

  /**
   * A step of one rank, means over ranks, nanoseconds.
   *
   * @param measuredCompute kernels that compute, in the profiles; 0 without profiles
   * @param measuredCommunication kernels that communicate, waiting included
   * @param knownCompute computation of the job whose duration is known
   * @param knownCommunication communication of the job whose duration is known
   * @param allCompute all computation of the job, estimates included; empty without hardware
   */
  public record Steps(
      double measuredCompute,
      double measuredCommunication,
      double knownCompute,
      double knownCommunication,
      OptionalDouble allCompute) {}

  /**
   * The share of the modelled time of all computation whose duration is known at {@code level} or
   * better; empty if there is nothing to estimate the rest by.
   */
  public OptionalDouble coverage(Level level) {
    double sum = 0;
    for (Line line : lines) {
      if (!line.kind().isCommunication()) {
        if (line.share().isEmpty()) {
          return OptionalDouble.empty();
        }
        sum += line.level().compareTo(level) <= 0 ? line.share().getAsDouble() : 0;
      }
    }
    return OptionalDouble.of(sum);
  }

  /**
   * By what factor the known computation of a step may be off, with nine chances in ten: what is
   * scaled or goes by its class by {@link Holdout#timeFactor} of its kind (of a kind of one shape
   * only, by that of the worst other), the rest not at all; weighted by time. Empty if nothing is
   * known, or nothing tells the error.
   */
  public OptionalDouble computeFactor() {
    double worst = holdouts().stream().mapToDouble(Holdout::timeFactor).max().orElse(0);
    double time = 0;
    double weighted = 0;
    for (Line line : lines) {
      if (!line.kind().isCommunication() && line.level().isKnown() && line.ns() > 0) {
        boolean measured = line.level().compareTo(Level.SWAPPED) <= 0;
        double factor =
            holdouts().stream()
                .filter(each -> each.kind() == line.kind())
                .findFirst()
                .map(Holdout::timeFactor)
                .orElse(worst);
        if (!measured && factor == 0) {
          return OptionalDouble.empty();
        }
        time += line.ns();
        weighted += line.ns() * (measured ? 1 : factor);
      }
    }
    return time == 0 ? OptionalDouble.empty() : OptionalDouble.of(weighted / time);
  }

  /** The share of the bytes of all communication whose duration is known; 1 if there is none. */
  public double communicationCoverage() {
    double known = 0;
    double all = 0;
    for (Line line : lines) {
      if (line.kind().isCommunication()) {
        all += line.bytes();
        known += line.level().isKnown() ? line.bytes() : 0;
      }
    }
    return all == 0 ? 1 : known / all;
  }
}
