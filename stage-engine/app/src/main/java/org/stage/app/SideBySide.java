package org.stage.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/** Puts jobs side by side on one network, each on ranks of its own. */
final class SideBySide {
  private SideBySide() {}

  /**
   * The jobs as one workload, named after the first.
   *
   * @param jobs at least one
   * @param files where each was read, for messages
   * @param places the ranks of each, as {@link Places} gives them
   * @param network that of all devices together; empty if nothing is known of it
   * @throws InputException if the jobs are for different devices
   */
  static Workload of(
      List<Workload> jobs,
      List<String> files,
      List<RankSet> places,
      List<NetworkDimension> network) {
    Workload first = jobs.get(0);
    requireAlike(jobs, files);
    List<RankClass> classes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < jobs.size(); i++) {
      Workload job = jobs.get(i);
      JobMesh mesh = new JobMesh(free(job.name(), names), job.mesh(), places.get(i));
      job.classes().forEach(each -> classes.add(placed(each, mesh)));
    }
    classes.sort(Comparator.comparingInt(each -> each.ranks().first()));
    Workload all =
        new Workload(
            first.name(),
            jobs.stream().map(Workload::model).collect(Collectors.joining(" + ")),
            Mesh.ofDevices(places.stream().mapToInt(RankSet::size).reduce(0, Math::addExact)),
            first.precision(),
            new Workload.Platform(first.hardware(), network, first.platform().collectives()),
            classes,
            Optional.empty());
    all.verify();
    return all;
  }

  private static RankClass placed(RankClass each, JobMesh mesh) {
    IntStream ranks = each.ranks().stream().map(mesh.ranks()::get);
    return each.withRanks(RankSet.of(ranks)).ofJob(mesh);
  }

  /** {@code name}, or {@code name-2} and so on where it is taken. */
  private static String free(String name, Set<String> taken) {
    String free = name;
    for (int number = 2; !taken.add(free); number++) {
      free = name + "-" + number;
    }
    return free;
  }

  /** A workload says once what the devices are and at which of their peaks products run. */
  private static void requireAlike(List<Workload> jobs, List<String> files) {
    for (int i = 1; i < jobs.size(); i++) {
      String file = files.get(i);
      Workload first = jobs.get(0);
      Workload other = jobs.get(i);
      requireEqual(first.hardware(), other.hardware(), Hardware::name, file + ", hardware", files);
      requireEqual(
          Optional.of(first.precision().activations()),
          Optional.of(other.precision().activations()),
          DataType::text,
          file + ", training.precision",
          files);
    }
  }

  private static <T> void requireEqual(
      Optional<T> first, Optional<T> other, Function<T, String> name, String at, List<String> of) {
    if (!first.equals(other)) {
      String expected = first.map(name).orElse("not given");
      String found = other.map(name).orElse("not given");
      throw new InputException(
          at,
          found.equals(expected)
              ? "is another " + found + " than in " + of.get(0)
              : "is " + found + ", but " + expected + " in " + of.get(0),
          "Jobs side by side run on devices of one kind, at one precision.");
    }
  }
}
