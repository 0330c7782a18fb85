package org.stage.calibrate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.Hardware;
import org.stage.job.NamePattern;
import org.stage.operator.OperatorRules;

/** Profiles that are used for the same names, as one: usually the ranks of one run. */
final class Pool {
  private final Optional<NamePattern> only;
  private final List<Profile> profiles;
  private final List<Sample> samples;
  private final List<Sample> implausible;
  private final List<Transfers.Measured> transfers;
  private final KernelMatcher kernels;
  private final TransferMatcher communication;
  private final Map<Asked, Match> known = new HashMap<>();

  /** Work by what its match depends on. */
  private record Asked(Kind kind, String operator, boolean backward, ProfileWork.Size size) {}

  /**
   * A pool.
   *
   * @param only the names for which it is used; empty for all
   * @param profiles what was measured
   * @param unknownTypeBytes bytes of an element where a profile does not tell its type
   * @param hardware the device, to tell what it cannot have done
   * @param operators what is known of operators
   */
  Pool(
      Optional<NamePattern> only,
      List<Profile> profiles,
      int unknownTypeBytes,
      Optional<Hardware> hardware,
      OperatorRules operators) {
    this.only = only;
    this.profiles = List.copyOf(profiles);
    List<Sample> all = Samples.of(profiles, unknownTypeBytes);
    this.samples = all.stream().filter(each -> each.isPossibleOn(hardware)).toList();
    this.implausible = all.stream().filter(each -> !each.isPossibleOn(hardware)).toList();
    this.transfers = Transfers.of(ProfileSet.of(profiles));
    this.kernels = new KernelMatcher(samples, operators);
    this.communication = new TransferMatcher(transfers);
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

  List<Transfers.Measured> transfers() {
    return transfers;
  }

  Match match(ProfileWork work) {
    Asked asked = new Asked(work.kind(), work.operator(), work.backward(), work.size());
    return known.computeIfAbsent(
        asked,
        each -> work.kind().isCommunication() ? communication.match(work) : kernels.match(work));
  }
}
