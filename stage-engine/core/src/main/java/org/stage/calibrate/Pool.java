package org.stage.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.RankSet;
import org.stage.job.NamePattern;
import org.stage.plan.JobPlan;
import org.stage.plan.UnitPlan;

/** Profiles that are used for the same names, as one: usually the ranks of one run. */
final class Pool {
  private final Optional<NamePattern> only;
  private final List<Profile> profiles;
  private final List<Sample> samples;
  private final List<Sample> implausible;
  private final List<Transfers.Measured> transfers;
  private final int unknownTypeBytes;
  private final Assembly assembly;
  private final KernelMatcher kernels;
  private final TransferMatcher communication;
  private final boolean namesNodes;
  private final Map<Asked, Match> known = new HashMap<>();

  /** Work by what its match depends on. */
  private record Asked(Kind kind, String operator, boolean backward, ProfileWork.Size size) {}

  /**
   * A pool.
   *
   * @param only the names for which it is used; empty for all
   * @param profiles what was measured
   * @param job the job for which they are used
   */
  Pool(Optional<NamePattern> only, List<Profile> profiles, JobPlan job) {
    this.only = only;
    this.profiles = List.copyOf(profiles);
    this.unknownTypeBytes = job.precision().activations().bytes();
    Optional<Hardware> hardware = job.job().platform().hardware();
    this.assembly = Assembly.of(job, this.profiles);
    this.namesNodes = namesNodes(job, this.profiles);
    List<Sample> all = Samples.of(this.profiles, unknownTypeBytes);
    this.samples = all.stream().filter(each -> each.isPossibleOn(hardware)).toList();
    this.implausible = all.stream().filter(each -> !each.isPossibleOn(hardware)).toList();
    this.transfers = Transfers.of(ProfileSet.of(profiles));
    List<Sample> composed = new ArrayList<>(samples);
    composed.addAll(assembly.samples());
    String device = profiles.get(0).device().name();
    String named = hardware.filter(each -> device.isEmpty()).map(Hardware::name).orElse(device);
    this.kernels = new KernelMatcher(composed, job.operators(), named);
    this.communication = new TransferMatcher(transfers);
  }

  /**
   * Whether a module of the profiles is a node of the job, so that each of their kernels is one.
   */
  private static boolean namesNodes(JobPlan job, List<Profile> profiles) {
    Set<String> modules = new HashSet<>();
    profiles.forEach(each -> each.operators().forEach(of -> modules.add(of.module())));
    return job.stepPlans().stream()
        .flatMap(stage -> stage.units().stream())
        .anyMatch(
            unit ->
                ActionWork.of(job, unit.plan()).stream()
                    .anyMatch(work -> modules.contains(unit.name() + "." + work.name())));
  }

  boolean isFor(String name) {
    return only.isEmpty() || only.get().covers(name);
  }

  List<Profile> profiles() {
    return profiles;
  }

  List<Sample> samples() {
    return samples;
  }

  /** Samples that are faster than the device can be, which are not used. */
  List<Sample> implausible() {
    return implausible;
  }

  /** Steps that count, of all ranks together. */
  int steps() {
    return profiles.stream().mapToInt(each -> Window.of(each).steps()).sum();
  }

  /** Collectives that one rank has and the others, by number or order and size, have not. */
  List<Pairing.Instance> unmatched() {
    return Pairing.unmatched(ProfileSet.of(profiles));
  }

  List<Transfers.Measured> transfers() {
    return transfers;
  }

  /** The sample to which the runs of {@code operator} belong. */
  Sample.Key key(MeasuredOperator operator) {
    return Samples.key(operator, unknownTypeBytes);
  }

  /** What of the profiles was put together. */
  Assembly assembly() {
    return assembly;
  }

  /**
   * How long a piece of work takes: as it took where it was measured under its name; else by its
   * own shape if it is a product or each kernel is a node, else by what ran at its place; and with
   * what ran besides.
   *
   * @param plan its module
   * @param name its name in the job
   * @param ranks the ranks that do it
   */
  Match match(UnitPlan plan, ProfileWork work, String name, RankSet ranks) {
    Optional<Match> here =
        work.kind().isCommunication()
            ? communication.at(name, ranks, work)
            : kernels.at(name, work);
    if (here.isPresent()) {
      return here.get();
    }
    Match match = match(work);
    boolean measured =
        (namesNodes || work.size().hasProducts())
            && match.level().compareTo(Level.EXACT) <= 0
            && !assembly.isDivided(plan, work);
    Match best = measured ? match : assembly.find(plan, work).orElse(match);
    double besides = assembly.besides(plan, work);
    return best.isKnown() && besides > 0
        ? new Match(best.level(), best.ns() + besides, best.reference())
        : best;
  }

  private Match match(ProfileWork work) {
    Asked asked = new Asked(work.kind(), work.operator(), work.backward(), work.size());
    return known.computeIfAbsent(
        asked,
        each -> work.kind().isCommunication() ? communication.match(work) : kernels.match(work));
  }
}
