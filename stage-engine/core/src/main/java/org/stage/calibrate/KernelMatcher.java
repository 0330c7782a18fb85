package org.stage.calibrate;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;

/**
 * Finds the duration of a computation among samples: the same work, its transpose, similar work
 * scaled by its size, its class by {@link Curve}, or of a backward pass the forward pass; the first
 * that there is. What lies outside the range in which its class was measured is not known.
 *
 * <p>Scaling similar work errs by a factor of 1.1 to 1.4 in the median on public traces; {@link
 * Holdouts} measures it on the profile at hand.
 */
final class KernelMatcher {
  /** How many times larger or smaller work may be to be similar, and beyond the range measured. */
  static final double SIMILAR = 4 * (1 + 1e-9);

  /** Kinds whose backward pass is other work than their forward pass of the same size. */
  static final Set<Kind> DIRECTED = EnumSet.of(Kind.ATTENTION, Kind.NORM, Kind.EMBEDDING);

  /** Work that picks a few elements out of a large tensor, whose size says little of its time. */
  static final Pattern PICKS = Pattern.compile("gather|index|target_logit|nll_loss_forward");

  private final List<Sample> samples;
  private final OperatorRules operators;
  private final BackwardRatio backward;

  /**
   * A matcher.
   *
   * @param operators what is known of operators
   * @param device what was measured, as profiles call it; may be empty
   */
  KernelMatcher(List<Sample> samples, OperatorRules operators, String device) {
    this.operators = operators;
    this.samples =
        samples.stream().filter(sample -> !sample.extent().isUnknown() && sample.ns() > 0).toList();
    this.backward = new BackwardRatio(this.samples, device);
  }

  Match match(ProfileWork work) {
    return same(work, work.size().shape())
        .findFirst()
        .map(sample -> new Match(Level.EXACT, sample.ns(), Optional.of(sample)))
        .or(() -> transposed(work))
        .or(() -> similar(work))
        .or(() -> byClass(work))
        .or(() -> fromForward(work))
        .or(() -> beyond(work))
        .orElse(Match.NONE);
  }

  /** The same at its place, where the profile tells that it was measured there. */
  Optional<Match> at(String place, ProfileWork work) {
    return same(work, work.size().shape())
        .filter(sample -> sample.ns(place).isPresent())
        .findFirst()
        .map(sample -> new Match(Level.EXACT, sample.ns(place).orElseThrow(), Optional.of(sample)));
  }

  private Optional<Match> transposed(ProfileWork work) {
    MatrixShape shape = work.size().shape();
    if (work.kind() != Kind.GEMM) {
      return Optional.empty();
    }
    return same(work, new MatrixShape(shape.batch(), shape.n(), shape.m(), shape.k()))
        .findFirst()
        .map(sample -> new Match(Level.SWAPPED, sample.ns(), Optional.of(sample)));
  }

  /** The samples of exactly this size, first that with as much added and of the same phase. */
  private Stream<Sample> same(ProfileWork work, MatrixShape shape) {
    Predicate<Sample> equal =
        work.size().hasProducts()
            ? sample -> sample.size().shape().equals(shape)
            : sample -> sample.size().elements() == work.size().elements() && isNamed(sample, work);
    return ofClass(work)
        .filter(sample -> sample.size().type().equals(work.size().type()))
        .filter(equal)
        .sorted(
            Comparator.<Sample>comparingInt(sample -> addsAsMuch(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> samePhase(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> -sample.durations().count()));
  }

  private static boolean addsAsMuch(Sample sample, ProfileWork work) {
    return sample.size().addedBytes() == work.size().addedBytes();
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
                .thenComparingInt(sample -> addsAsMuch(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> samePhase(sample, work) ? 0 : 1)
                .thenComparingInt(sample -> -sample.durations().count()))
        .map(
            sample ->
                new Match(
                    Level.SCALED, sample.ns() * extent.over(sample.extent()), Optional.of(sample)));
  }

  private Optional<Match> byClass(ProfileWork work) {
    if (!scales(work.kind())) {
      return Optional.empty();
    }
    return Curve.of(alike(work).toList()).at(work.extent()).stream()
        .mapToObj(ns -> new Match(Level.CLASS, ns, Optional.empty()))
        .findFirst();
  }

  private Optional<Match> fromForward(ProfileWork work) {
    if (!work.backward() || !backward.knows(work.kind())) {
      return Optional.empty();
    }
    Match forward = match(work.forward());
    double factor = backward.of(work);
    return forward.isKnown()
        ? Optional.of(
            new Match(
                forward.level().compareTo(Level.SCALED) < 0 ? Level.SCALED : forward.level(),
                forward.ns() * factor,
                forward.reference()))
        : Optional.empty();
  }

  /** Not known, though its class was measured: with the sample that is nearest. */
  private Optional<Match> beyond(ProfileWork work) {
    Extent extent = work.extent();
    return scales(work.kind()) && !extent.isUnknown()
        ? alike(work)
            .min(Comparator.comparingDouble(sample -> extent.distance(sample.extent())))
            .map(sample -> new Match(Level.ANALYTIC, 0, Optional.of(sample)))
        : Optional.empty();
  }

  /** What may be scaled to the size of {@code work}. */
  private Stream<Sample> alike(ProfileWork work) {
    boolean picks = PICKS.matcher(work.operator()).find();
    return ofClass(work)
        .filter(sample -> ofType(sample, work))
        .filter(sample -> !(picks || sample.picks()) || isNamed(sample, work));
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
