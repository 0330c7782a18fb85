package org.stage.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.Profile;
import org.stage.api.workload.RankSet;
import org.stage.job.InjectedDuration;
import org.stage.job.NamePattern;
import org.stage.plan.BoundaryMessage;
import org.stage.plan.Durations;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitAction;
import org.stage.plan.UnitPlan;
import org.stage.state.Moment;

/** Puts measured durations, and those set by hand, onto the work of a job. */
public final class Calibration {
  private final JobPlan job;
  private final List<Pool> pools;
  private final List<InjectedDuration> injections;
  private final List<Placed> placed = new ArrayList<>();
  private final IdentityHashMap<UnitPlan, List<ProfileWork>> works = new IdentityHashMap<>();
  private final Map<String, OptionalLong> known = new HashMap<>();

  /**
   * A piece of work at its place, with what is known of it.
   *
   * @param name its name in the job, without micro-batch: {@code layers.17.mlp.up}
   * @param work what it is
   * @param match how long it takes
   * @param ranks devices that do it
   */
  record Placed(String name, ProfileWork work, Match match, int ranks) {}

  private Calibration(JobPlan job, KnownTimes times) {
    this.job = job;
    this.injections = times.injected();
    Map<Optional<NamePattern>, List<Profile>> byNames = new LinkedHashMap<>();
    for (KnownTimes.Measured each : times.profiles()) {
      byNames.computeIfAbsent(each.only(), only -> new ArrayList<>()).add(each.profile());
    }
    this.pools = new ArrayList<>();
    byNames.forEach((only, profiles) -> pools.add(new Pool(only, profiles, job)));
  }

  /**
   * The durations that are known of a job, and the report on them.
   *
   * @throws InputException if a duration is set by hand for a name that the job does not have
   */
  public static Calibrated of(JobPlan job, KnownTimes times) {
    Calibration calibration = new Calibration(job, times);
    Durations durations = calibration.durations();
    calibration.checkInjections();
    return new Calibrated(durations, Reports.of(job, calibration.pools, calibration.placed));
  }

  /**
   * What is known of the durations of a job.
   *
   * @param durations how long actions take, as far as it is known
   * @param report what is known, and how well
   */
  public record Calibrated(Durations durations, CalibrationReport report) {}

  private Durations durations() {
    for (StepPlan stage : job.stepPlans()) {
      for (StepPlan.Unit unit : stage.units()) {
        modules(stage, unit);
      }
      beside(stage);
    }
    return (stage, unit, action) ->
        known.getOrDefault(key(stage, unit, action.key()), OptionalLong.empty());
  }

  private void modules(StepPlan stage, StepPlan.Unit unit) {
    List<ProfileWork> all = works.computeIfAbsent(unit.plan(), plan -> ActionWork.of(job, plan));
    Map<String, String> products = Biases.of(unit.plan(), job.operators()).products();
    Map<ProfileWork, Match> matches = new HashMap<>();
    Map<String, Match> byName = new HashMap<>();
    for (ProfileWork work : all) {
      String name = unit.name() + "." + work.name();
      Match product = byName.getOrDefault(products.getOrDefault(work.name(), ""), Match.NONE);
      Match match =
          matches.computeIfAbsent(
              work,
              each ->
                  place(
                      new Asked(name, unit.plan(), each, stage.ranks()),
                      found -> within(product, found)));
      byName.putIfAbsent(work.name(), match);
      known.putIfAbsent(key(stage, unit.name(), work.key()), nanoseconds(match));
    }
  }

  /** A bias that is in what was measured of its product takes no time of its own. */
  private static Match within(Match product, Match bias) {
    boolean measured =
        product.isKnown() && product.reference().filter(each -> each.size().addsBias()).isPresent();
    return measured && bias.level() != Level.INJECTED
        ? new Match(product.level(), 0, Optional.empty())
        : bias;
  }

  /** Messages between stages, and what is done when all passes are. */
  private void beside(StepPlan stage) {
    Map<String, UnitAction> sends = new LinkedHashMap<>();
    Map<String, Long> times = new HashMap<>();
    stage.forEach(
        (each, count) -> {
          if (each.action() instanceof BoundaryMessage) {
            sends.putIfAbsent(each.name(), each);
            times.merge(each.name(), count, Math::addExact);
          }
        });
    List<UnitAction> all = new ArrayList<>(sends.values());
    stage.end().stream()
        .filter(each -> each.action().moment().compareTo(Moment.UPDATE) < 0)
        .forEach(all::add);
    for (UnitAction each : all) {
      UnitPlan plan = stage.units().get(each.unit()).plan();
      ActionWork.of(job, plan, each.action(), times.getOrDefault(each.name(), 1L))
          .ifPresent(
              work -> {
                Match match =
                    place(
                        new Asked(each.name(), plan, work, stage.ranks()),
                        UnaryOperator.identity());
                known.putIfAbsent(
                    key(stage, each.place(), each.action().key()), nanoseconds(match));
              });
    }
  }

  private static String key(StepPlan stage, String unit, String action) {
    return stage.stage() + "@" + stage.expertRank() + "/" + unit + "/" + action;
  }

  /** A piece of work, its name in the job, its module, and the ranks that do it. */
  private record Asked(String name, UnitPlan plan, ProfileWork work, RankSet ranks) {}

  private Match place(Asked asked, UnaryOperator<Match> whereItStands) {
    Match match = whereItStands.apply(match(asked));
    placed.add(new Placed(asked.name(), asked.work(), match, asked.ranks().size()));
    return match;
  }

  private Match match(Asked asked) {
    String name = asked.name();
    Match best = Match.NONE;
    for (InjectedDuration each : injections) {
      if (each.pattern().matches(name)) {
        best = new Match(Level.INJECTED, (double) each.durationNs(), Optional.empty());
      }
    }
    for (Pool pool : pools) {
      if (best.level() != Level.INJECTED && pool.isFor(name)) {
        Match match = pool.match(asked.plan(), asked.work(), name, asked.ranks());
        boolean better = match.level().compareTo(best.level()) < 0;
        best = better || (!best.isKnown() && match.isBeyond()) ? match : best;
      }
    }
    return best;
  }

  private static OptionalLong nanoseconds(Match match) {
    return match.isKnown() ? OptionalLong.of(Math.round(match.ns())) : OptionalLong.empty();
  }

  private void checkInjections() {
    for (InjectedDuration each : injections) {
      if (placed.stream().noneMatch(work -> each.pattern().matches(work.name()))) {
        throw each.origin()
            .fault(
                "no node of the job is named so", "For example " + example(each.pattern()) + ".");
      }
    }
  }

  /** A name that is covered by the pattern, or any. */
  private String example(NamePattern pattern) {
    return placed.stream()
        .map(Placed::name)
        .filter(pattern::covers)
        .findFirst()
        .orElseGet(() -> placed.get(0).name());
  }
}
