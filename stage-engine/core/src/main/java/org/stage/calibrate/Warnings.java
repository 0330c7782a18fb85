package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.Profile;
import org.stage.api.workload.Hardware;
import org.stage.calibrate.Calibration.Placed;
import org.stage.plan.JobPlan;

/** What to be careful of in a calibration; {@code docs/calibration.md} explains each. */
final class Warnings {
  /** Equal work whose 90th percentile is further above its 10th varies too much to be trusted. */
  private static final double STEADY = 1.3;

  /** Kernels without a known launch are a fault of the recording if there are more than that. */
  private static final double ORPHANS = 0.1;

  private final List<String> all = new ArrayList<>();

  private Warnings() {}

  static List<String> of(JobPlan job, List<Pool> pools, List<Placed> placed) {
    Warnings warnings = new Warnings();
    for (Pool pool : pools) {
      warnings.files(pool.profiles(), job.job().platform().hardware());
      warnings.samples(pool);
      warnings.transfers(pool);
    }
    if (!pools.isEmpty()) {
      warnings.use(placed);
    }
    return warnings.all.stream().distinct().toList();
  }

  private void files(List<Profile> profiles, Optional<Hardware> hardware) {
    for (Profile profile : profiles) {
      String file = profile.source() + ": ";
      if (!Window.of(profile).marked()) {
        all.add(file + "marks no steps, so the whole file counts as one");
      } else if (profile.steps().size() == 1) {
        all.add(file + "holds one step only, which may be a slow first one");
      }
      if (profile.coverage().contents().truncated()) {
        all.add(file + "ends too early, so its last step is incomplete");
      }
      if (profile.coverage().launches().orphans()
          > ORPHANS * profile.coverage().kernels().count()) {
        all.add(
            file
                + profile.coverage().launches().orphans()
                + " of "
                + profile.coverage().kernels().count()
                + " kernels have no recorded launch, so no shapes");
      }
      String device = profile.device().name();
      hardware
          .filter(known -> !known.name().equals("custom") && !device.isEmpty())
          .filter(known -> !isOf(device, known.name()))
          .ifPresent(
              known ->
                  all.add(file + "was measured on " + device + ", the job's is " + known.name()));
    }
    Set<String> devices =
        profiles.stream().map(each -> each.device().name()).collect(Collectors.toSet());
    if (devices.size() > 1) {
      all.add("the profiles are of different devices: " + String.join(", ", devices));
    }
  }

  private static boolean isOf(String device, String name) {
    return device.toLowerCase(Locale.ROOT).replace(" ", "").contains(name.replace("-", ""));
  }

  private void samples(Pool pool) {
    int left = pool.samples().stream().mapToInt(each -> each.durations().leftOut()).sum();
    if (left > 0) {
      all.add(left + " runs stand far apart from equal ones and were left out");
    }
    if (!pool.implausible().isEmpty()) {
      Sample first = pool.implausible().get(0);
      all.add(
          pool.implausible().size()
              + " shapes are faster than the device can be and were left out, such as "
              + first.name()
              + " "
              + first.size().shape());
    }
    boolean unmasked =
        pool.profiles().stream()
            .flatMap(profile -> profile.operators().stream())
            .anyMatch(each -> each.kind() == Kind.ATTENTION && !isCausal(each.shape()));
    if (unmasked) {
      all.add("attention was measured without a causal mask, or the profile does not tell");
    }
  }

  private static boolean isCausal(OperatorShape shape) {
    return shape.causal();
  }

  private void transfers(Pool pool) {
    long bound = pool.transfers().stream().filter(Transfers.Measured::bound).count();
    if (bound > 0) {
      all.add(
          bound
              + " of "
              + pool.transfers().size()
              + " sizes of collectives were seen on one rank only: waiting for others may be in"
              + " their durations");
    }
    List<Pairing.Instance> unmatched = pool.unmatched();
    if (!unmatched.isEmpty()) {
      Pairing.Instance first = unmatched.get(0);
      all.add(
          unmatched.size()
              + " collectives without a sequence number are on one rank only, such as "
              + first.kind().text()
              + " of "
              + first.described().transfer().bytes()
              + " bytes on rank "
              + first.parts().get(0).rank()
              + ": their ranks did not record the same");
    }
    boolean custom =
        pool.profiles().stream()
            .flatMap(profile -> profile.operators().stream())
            .anyMatch(each -> each.kind() == Kind.CUSTOM_COMMUNICATION);
    if (custom) {
      all.add("some communication bypasses the communication library; its sizes are not known");
    }
  }

  private void use(List<Placed> placed) {
    boolean any =
        placed.stream()
            .anyMatch(each -> each.match().isKnown() && each.match().level() != Level.INJECTED);
    boolean beyond = placed.stream().anyMatch(each -> each.match().isBeyond());
    if (!any) {
      all.add(
          beyond
              ? "no shape in the profiles is within four times a size of the job"
              : "nothing in the profiles fits the job: were shapes recorded?");
    }
    long unsteady =
        placed.stream()
            .flatMap(each -> each.match().reference().stream())
            .distinct()
            .filter(each -> each.durations().spread() > STEADY)
            .count();
    if (unsteady > 0) {
      all.add(unsteady + " of the shapes used vary by more than a factor of " + STEADY);
    }
  }
}
