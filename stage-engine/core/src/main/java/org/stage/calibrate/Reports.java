package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.calibrate.Calibration.Placed;
import org.stage.calibrate.CalibrationReport.Beyond;
import org.stage.calibrate.CalibrationReport.Line;
import org.stage.calibrate.CalibrationReport.Named;
import org.stage.calibrate.CalibrationReport.Residual;
import org.stage.calibrate.CalibrationReport.Source;
import org.stage.calibrate.CalibrationReport.Steps;
import org.stage.plan.JobPlan;
import org.stage.sim.cost.KernelTimes;

/** Draws up the report of a calibration. */
final class Reports {
  private static final int SHOWN = 10;

  private final List<Pool> pools;
  private final List<Placed> placed;
  private final KernelTimes kernels;
  private final int ranks;

  private Reports(JobPlan job, List<Pool> pools, List<Placed> placed) {
    this.pools = pools;
    this.placed = placed;
    this.ranks = job.job().mesh().devices();
    this.kernels = KernelTimes.of(job.job().platform().hardware(), job.precision().activations());
  }

  static CalibrationReport of(JobPlan job, List<Pool> pools, List<Placed> placed) {
    Reports reports = new Reports(job, pools, placed);
    List<Line> lines = reports.lines();
    UsedTimes used = UsedTimes.of(pools, placed);
    List<Sample> samples = pools.stream().flatMap(pool -> pool.samples().stream()).toList();
    return new CalibrationReport(
        reports.sources(),
        lines,
        reports.residuals(used),
        new CalibrationReport.Prediction(reports.beyond(), Holdouts.of(samples, job.operators())),
        reports.steps(),
        used.use(),
        Warnings.of(job, pools, placed));
  }

  private List<Source> sources() {
    return profiles().stream()
        .map(
            profile ->
                new Source(
                    profile.source(),
                    profile.device().name(),
                    profile.rank().orElse(-1),
                    Window.of(profile).steps()))
        .toList();
  }

  private List<Profile> profiles() {
    return pools.stream().flatMap(pool -> pool.profiles().stream()).distinct().toList();
  }

  private record LineKey(Kind kind, Level level) implements Comparable<LineKey> {
    @Override
    public int compareTo(LineKey other) {
      return Comparator.comparing(LineKey::kind).thenComparing(LineKey::level).compare(this, other);
    }
  }

  private List<Line> lines() {
    Map<LineKey, double[]> sums = new TreeMap<>();
    for (Placed each : placed) {
      double times = (double) each.work().perStep() * each.ranks();
      double[] sum =
          sums.computeIfAbsent(
              new LineKey(each.work().kind(), each.match().level()), key -> new double[3]);
      sum[0] += times;
      sum[1] += times * ns(each).orElse(0);
      sum[2] += times * each.work().size().bytes();
    }
    double time = 0;
    double bytes = 0;
    for (Map.Entry<LineKey, double[]> entry : sums.entrySet()) {
      boolean moves = entry.getKey().kind().isCommunication();
      time += moves ? 0 : entry.getValue()[1];
      bytes += moves ? entry.getValue()[2] : 0;
    }
    boolean whole = placed.stream().allMatch(each -> isTransfer(each) || ns(each).isPresent());
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<LineKey, double[]> entry : sums.entrySet()) {
      LineKey key = entry.getKey();
      double[] sum = entry.getValue();
      OptionalDouble share =
          key.kind().isCommunication()
              ? share(sum[2], bytes)
              : whole ? share(sum[1], time) : OptionalDouble.empty();
      lines.add(new Line(key.kind(), key.level(), Math.round(sum[0]), sum[1], sum[2], share));
    }
    return lines;
  }

  private static OptionalDouble share(double part, double whole) {
    return OptionalDouble.of(whole == 0 ? 0 : part / whole);
  }

  private static boolean isTransfer(Placed each) {
    return each.work().kind().isCommunication();
  }

  /** How long a piece of work takes; of a kernel by estimate if it is not known. */
  private OptionalDouble ns(Placed each) {
    OptionalDouble known =
        each.match().isKnown() ? OptionalDouble.of(each.match().ns()) : OptionalDouble.empty();
    return isTransfer(each) ? known : kernels.nanoseconds(each.work().kernel(), known);
  }

  private List<Beyond> beyond() {
    Map<Kind, List<Placed>> byKind = new TreeMap<>();
    for (Placed each : placed) {
      if (each.match().isBeyond()) {
        byKind.computeIfAbsent(each.work().kind(), kind -> new ArrayList<>()).add(each);
      }
    }
    List<Beyond> beyond = new ArrayList<>();
    byKind.forEach((kind, all) -> beyond.add(beyond(kind, all)));
    return beyond;
  }

  private Beyond beyond(Kind kind, List<Placed> all) {
    double nodes = 0;
    double ns = 0;
    double distance = 1;
    double factor = 1;
    boolean whole = true;
    for (Placed each : all) {
      double times = (double) each.work().perStep() * each.ranks();
      Sample nearest = each.match().reference().orElseThrow();
      OptionalDouble model =
          kernels.nanoseconds(nearest.kernel(each.work().operator()), OptionalDouble.empty());
      nodes += times;
      ns += times * ns(each).orElse(0);
      distance = Math.max(distance, each.work().extent().apart(nearest.extent()));
      factor = Math.max(factor, nearest.ns() / model.orElse(nearest.ns()));
      whole &= model.isPresent();
    }
    return new Beyond(
        kind,
        Math.round(nodes),
        whole ? OptionalDouble.of(ns) : OptionalDouble.empty(),
        distance,
        whole ? OptionalDouble.of(factor) : OptionalDouble.empty());
  }

  private List<Residual> residuals(UsedTimes used) {
    List<Residual> residuals = new ArrayList<>();
    used.left().forEach((kind, names) -> residuals.add(residual(kind, names)));
    residuals.sort(Comparator.comparingDouble(Residual::ns).reversed());
    return residuals;
  }

  private static Residual residual(Kind kind, Map<String, Double> names) {
    List<Named> largest =
        names.entrySet().stream()
            .map(entry -> new Named(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingDouble(Named::ns).reversed())
            .limit(SHOWN)
            .toList();
    return new Residual(kind, names.values().stream().mapToDouble(each -> each).sum(), largest);
  }

  private Steps steps() {
    double compute = 0;
    double communication = 0;
    List<Profile> profiles = profiles();
    for (Profile profile : profiles) {
      Window window = Window.of(profile);
      for (MeasuredOperator operator : profile.operators()) {
        double ns = window.durations(operator.runs()).sum() / window.steps() / profiles.size();
        compute += operator.kind().isCommunication() ? 0 : ns;
        communication += operator.kind().isCommunication() ? ns : 0;
      }
    }
    double known = 0;
    double moved = 0;
    double all = 0;
    boolean whole = true;
    for (Placed each : placed) {
      double times = (double) each.work().perStep() * each.ranks() / ranks;
      double ns = times * ns(each).orElse(0);
      moved += isTransfer(each) ? ns : 0;
      known += !isTransfer(each) && each.match().isKnown() ? ns : 0;
      all += isTransfer(each) ? 0 : ns;
      whole &= isTransfer(each) || ns(each).isPresent();
    }
    return new Steps(
        compute,
        communication,
        known,
        moved,
        whole ? OptionalDouble.of(all) : OptionalDouble.empty());
  }
}
