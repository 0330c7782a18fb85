package org.stage.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.Profile;
import org.stage.instantiate.Copies;
import org.stage.instantiate.Exchange;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.StagePlan;
import org.stage.instantiate.Sync;
import org.stage.instantiate.Timing;
import org.stage.instantiate.UnitPlan;
import org.stage.job.InjectedDuration;
import org.stage.job.NamePattern;

/** Puts measured durations, and those set by hand, onto the work of a job. */
public final class Calibration {
  private final JobPlan job;
  private final List<Pool> pools;
  private final List<InjectedDuration> injections;
  private final List<Placed> placed = new ArrayList<>();
  private final IdentityHashMap<UnitPlan, List<Work>> works = new IdentityHashMap<>();

  /**
   * A piece of work at its place, with what is known of it.
   *
   * @param name its name in the job, without micro-batch: {@code layers.17.mlp.up}
   * @param work what it is
   * @param match how long it takes
   * @param ranks devices that do it
   */
  record Placed(String name, Work work, Match match, int ranks) {}

  private Calibration(JobPlan job, KnownTimes times) {
    this.job = job;
    this.injections = times.injected();
    Map<Optional<NamePattern>, List<Profile>> byNames = new LinkedHashMap<>();
    for (KnownTimes.Measured each : times.profiles()) {
      byNames.computeIfAbsent(each.only(), only -> new ArrayList<>()).add(each.profile());
    }
    int bytes = job.precision().activations().bytes();
    this.pools = new ArrayList<>();
    byNames.forEach(
        (only, profiles) ->
            pools.add(new Pool(only, profiles, bytes, job.spec().platform().hardware())));
  }

  /**
   * A job with the durations that are known of it, and the report on them.
   *
   * @throws InputException if a duration is set by hand for a name that the job does not have
   */
  public static Calibrated of(JobPlan job, KnownTimes times) {
    Calibration calibration = new Calibration(job, times);
    Timing timing = calibration.timing();
    calibration.checkInjections();
    return new Calibrated(
        job.timed(timing), Reports.of(job, calibration.pools, calibration.placed));
  }

  /**
   * A calibrated job.
   *
   * @param job the job with known durations
   * @param report what is known, and how well
   */
  public record Calibrated(JobPlan job, CalibrationReport report) {}

  private Timing timing() {
    Map<String, UnitPlan> units = new LinkedHashMap<>();
    Map<String, Long> others = new LinkedHashMap<>();
    // Layers with the same durations share one plan, as all layers did before.
    Map<UnitPlan, UnitPlan> shared = new HashMap<>();
    for (StagePlan stage : job.stagePlans()) {
      int ranks = stage.ranks().size();
      for (StagePlan.Unit unit : stage.units()) {
        UnitPlan timed = timed(unit, ranks);
        units.put(
            Timing.key(unit.name(), stage.expertRank()),
            shared.computeIfAbsent(timed, same -> same));
      }
      List<Work> beside = new ArrayList<>();
      stage.tied().ifPresent(sync -> beside.add(UnitWork.of(Timing.TIED, sync, 1)));
      if (stage.forwardSends() > 0) {
        beside.add(UnitWork.send(job, Timing.SEND_FORWARD, stage.forwardSends()));
      }
      if (stage.backwardSends() > 0) {
        beside.add(UnitWork.send(job, Timing.SEND_BACKWARD, stage.backwardSends()));
      }
      beside.addAll(GradientNormWork.of(job, stage));
      for (Work work : beside) {
        Match match = place(work.name(), work, ranks);
        nanoseconds(match).ifPresent(ns -> others.put(work.name(), ns));
      }
      stage.units().forEach(unit -> copies(stage, unit, ranks, others));
    }
    return new Timing(units, others);
  }

  /** The exchange with the stage that holds copies of this one's modules. */
  private void copies(StagePlan stage, StagePlan.Unit unit, int ranks, Map<String, Long> others) {
    for (Sync sync : job.copies(stage, unit.plan())) {
      String name = Copies.name(unit.name(), sync);
      Match match = place(name, UnitWork.of(name, sync, 1), ranks);
      nanoseconds(match).ifPresent(ns -> others.put(Copies.key(name, sync), ns));
    }
  }

  private UnitPlan timed(StagePlan.Unit unit, int ranks) {
    UnitPlan plan = unit.plan();
    Map<String, OptionalLong> ns = new HashMap<>();
    List<Work> known = works.computeIfAbsent(plan, each -> UnitWork.of(job, each));
    Map<Work, Match> matches = new HashMap<>();
    for (Work work : known) {
      Match match =
          matches.computeIfAbsent(
              work, each -> place(unit.name() + "." + each.name(), each, ranks));
      ns.putIfAbsent(key(work), nanoseconds(match));
    }
    Function<String, OptionalLong> of = key -> ns.getOrDefault(key, OptionalLong.empty());
    Exchange exchange = plan.exchange();
    return new UnitPlan(
        plan.forward().with(each -> each.lasting(of.apply(key(each)))),
        plan.backward().with(each -> each.lasting(of.apply(key(each)))),
        plan.again().with(each -> each.lasting(of.apply(key(each)))),
        exchange.with((name, sync) -> sync.lasting(of.apply(name + "#" + sync.elements()))),
        plan.parameters(),
        plan.matrices(),
        new UnitPlan.StateTimes(accumulations(exchange, of), of.apply(optimizer())));
  }

  private String optimizer() {
    return job.spec().training().optimizer().kind().name().toLowerCase(Locale.ROOT);
  }

  private static Map<Integer, Long> accumulations(
      Exchange exchange, Function<String, OptionalLong> of) {
    Map<Integer, Long> known = new HashMap<>();
    for (Sync sync : exchange.eachBackward()) {
      of.apply(Exchange.reduction(sync) + Exchange.ACCUMULATE)
          .ifPresent(ns -> known.put(sync.buffer(), ns));
    }
    return known;
  }

  /** Buckets of gradients share a name. */
  private static String key(Work work) {
    return work.name() + (work.kind().isCommunication() ? "#" + work.size().elements() : "");
  }

  private static String key(Instruction each) {
    if (each instanceof Instruction.Shift shift) {
      return shift.name() + "#" + shift.elements();
    }
    return each instanceof Instruction.Transfer move
        ? move.name() + "#" + move.elements()
        : each.name();
  }

  private Match place(String name, Work work, int ranks) {
    Match match = match(name, work);
    placed.add(new Placed(name, work, match, ranks));
    return match;
  }

  private Match match(String name, Work work) {
    Match best = Match.NONE;
    for (InjectedDuration each : injections) {
      if (each.pattern().matches(name)) {
        best = new Match(Level.INJECTED, (double) each.durationNs(), Optional.empty());
      }
    }
    for (Pool pool : pools) {
      if (best.level() != Level.INJECTED && pool.isFor(name)) {
        Match match = pool.match(work);
        best = match.level().compareTo(best.level()) < 0 ? match : best;
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
