package org.stage.calibrate;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;

/**
 * Finds the duration of a computation among samples: the same work, its transpose, similar work
 * scaled by its size, or the throughput of its class; the first that there is.
 *
 * <p>Scaling similar work errs by a factor of 1.1 to 1.4 in the median on public traces, the
 * class's throughput by 1.0 to 4; {@link Holdouts} measures it on the profile at hand.
 */
final class KernelMatcher {
  /** How many times larger or smaller work may be to be similar. */
  private static final double SIMILAR = 4 * (1 + 1e-9);

  /** Kinds whose backward pass is other work than their forward pass of the same size. */
  static final Set<Kind> DIRECTED = EnumSet.of(Kind.ATTENTION, Kind.NORM, Kind.EMBEDDING);

  /** Work that picks a few elements out of a large tensor, whose size says little of its time. */
  static final Pattern PICKS = Pattern.compile("gather|index|target_logit|nll_loss_forward");

  private final List<Sample> samples;
  private final OperatorRules operators;

  /**
   * A matcher.
   *
   * @param operators what is known of operators
   */
  KernelMatcher(List<Sample> samples, OperatorRules operators) {
    this.operators = operators;
    this.samples =
        samples.stream().filter(sample -> !sample.extent().isUnknown() && sample.ns() > 0).toList();
  }

  Match match(ProfileWork work) {
    return same(work, work.size().shape())
        .map(sample -> new Match(Level.EXACT, sample.ns(), Optional.of(sample)))
        .or(() -> transposed(work))
        .or(() -> similar(work))
        .or(() -> byClass(work))
        .orElse(Match.NONE);
  }

  private Optional<Match> transposed(ProfileWork work) {
    MatrixShape shape = work.size().shape();
    if (work.kind() != Kind.GEMM) {
      return Optional.empty();
    }
    return same(work, new MatrixShape(shape.batch(), shape.n(), shape.m(), shape.k()))
        .map(sample -> new Match(Level.SWAPPED, sample.ns(), Optional.of(sample)));
  }

  /** The sample of exactly this size, by preference of the same phase. */
  private Optional<Sample> same(ProfileWork work, MatrixShape shape) {
    Predicate<Sample> equal =
        work.size().hasProducts()
            ? sample -> sample.size().shape().equals(shape)
            : sample -> sample.size().elements() == work.size().elements() && isNamed(sample, work);
    return ofClass(work)
        .filter(sample -> sample.size().type().equals(work.size().type()))
        .filter(equal)
        .max(
            Comparator.<Sample>comparingInt(sample -> samePhase(sample, work) ? 1 : 0)
                .thenComparingInt(sample -> sample.durations().count()));
  }

  private static boolean samePhase(Sample sample, ProfileWork work) {
    return sample.key().backward() == work.backward();
  }

  /** Whether the profile's name says that it is this operator; only work by element is in doubt. */
  private boolean isNamed(Sample sample, ProfileWork work) {
    return work.kind() != Kind.ELEMENTWISE
        || operators
            .find(work.operator())
            .map(OperatorRule::words)
            .orElse(List.of(work.operator()))
            .stream()
            .anyMatch(sample.key().name().toLowerCase(Locale.ROOT)::contains);
  }

  private Optional<Match> similar(ProfileWork work) {
    if (!scales(work.kind())) {
      return Optional.empty();
    }
    Extent extent = work.extent();
    return alike(work)
        .filter(sample -> extent.apart(sample.extent()) <= SIMILAR)
        .min(
            Comparator.<Sample>comparingDouble(sample -> extent.distance(sample.extent()))
                .thenComparingInt(sample -> isNamed(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> samePhase(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> -sample.durations().count()))
        .map(
            sample ->
                new Match(
                    Level.SCALED, sample.ns() * extent.over(sample.extent()), Optional.of(sample)));
  }

  private Optional<Match> byClass(ProfileWork work) {
    List<Sample> known = alike(work).toList();
    if (known.isEmpty() || !scales(work.kind())) {
      return Optional.empty();
    }
    Extent extent = work.extent();
    double flopRate = median(known, sample -> sample.extent().flops() / sample.ns());
    double byteRate = median(known, sample -> sample.extent().bytes() / sample.ns());
    double least = known.stream().mapToDouble(Sample::ns).min().orElse(0);
    double byFlops = flopRate > 0 ? extent.flops() / flopRate : 0;
    double byBytes = byteRate > 0 ? extent.bytes() / byteRate : 0;
    double ns = Math.max(least, Math.max(byFlops, byBytes));
    return Optional.of(new Match(Level.CLASS, ns, Optional.empty()));
  }

  /** What may be scaled to the size of {@code work}. */
  private Stream<Sample> alike(ProfileWork work) {
    boolean picks = PICKS.matcher(work.operator()).find();
    return ofClass(work)
        .filter(sample -> ofType(sample, work))
        .filter(sample -> !(picks || sample.picks()) || isNamed(sample, work));
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> rate) {
    return Statistics.quantile(samples.stream().mapToDouble(rate).sorted().toArray(), 0.5);
  }

  /** A look-up reads a few rows of a table whose size is all that a profile tells. */
  private static boolean scales(Kind kind) {
    return kind != Kind.EMBEDDING;
  }

  /** What a profile does not tell the type of fits, but never exactly. */
  private static boolean ofType(Sample sample, ProfileWork work) {
    return sample.size().type().isEmpty()
        || sample.size().type().equals(work.size().type())
        || work.kind() == Kind.OPTIMIZER;
  }

  /** Samples of the same kind; where direction makes other work of it, of the same direction. */
  private Stream<Sample> ofClass(ProfileWork work) {
    boolean directed = DIRECTED.contains(work.kind());
    return samples.stream()
        .filter(
            sample ->
                sample.kind() == work.kind()
                    && sample.size().hasProducts() == work.size().hasProducts()
                    && (!directed || sample.key().backward() == work.backward()));
  }
}
