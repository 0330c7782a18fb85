package org.stage.backend.chakra;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeSet;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.GroupTable;

/**
 * Which groups are said by network dimensions ({@code involved_dim}) and not by their members.
 *
 * <p>ASTRA-sim takes a listed group for a flat ring whose hops cost what the innermost dimension
 * costs in which the two ends differ: one that leaves a node is priced as if it did not. A group
 * that is a product of whole dimensions, once these are cut along the mesh, can be said by them
 * instead, and then goes through them one by one.
 *
 * <p>The simulator matches such collectives by how many a rank has issued before, whatever their
 * groups. So the members must have issued equally many, which those of different pipeline stages
 * often have not. A look over all graphs tells: each group gets a fingerprint of these counts from
 * each class of ranks, and one that gets different ones is listed.
 */
final class DimensionGroups {
  private final boolean any;
  private final GroupTable communicators = new GroupTable();
  private final Map<Integer, Integer> prints = new HashMap<>();
  private final Set<Integer> mismatched = new HashSet<>();
  private Fabric fabric;

  private DimensionGroups(Fabric fabric, boolean any) {
    this.fabric = fabric;
    this.any = any;
  }

  /** None: every group is listed. */
  static DimensionGroups none(Fabric fabric) {
    return new DimensionGroups(fabric, /* any= */ false);
  }

  /** Those of {@code workload}, along whose groups the network is cut. */
  static DimensionGroups of(Workload workload, Fabric fabric) {
    TreeSet<Integer> edges = new TreeSet<>();
    DimensionGroups found = new DimensionGroups(fabric, /* any= */ true);
    Map<JobMesh, RankGroups> jobs = new HashMap<>();
    for (RankClass each : workload.classes()) {
      RankGroups job =
          jobs.computeIfAbsent(
              workload.meshOf(each), mesh -> new RankGroups(workload, mesh, found.communicators));
      Map<Integer, Fingerprint> ofClass = fingerprints(each, job);
      ofClass.values().forEach(print -> edges.addAll(job.edges(print.group())));
      PrimitiveIterator.OfInt ranks = each.ranks().stream().iterator();
      while (ranks.hasNext()) {
        int rank = ranks.nextInt();
        ofClass
            .values()
            .forEach(print -> found.compare(job.id(print.group(), rank), print.number()));
      }
    }
    found.fabric = fabric.split(edges);
    return found;
  }

  /**
   * What tells in one number how many collectives came before each of a group's own.
   *
   * @param group as it is said first
   */
  private record Fingerprint(Group group, int number) {
    Fingerprint and(int before) {
      return new Fingerprint(group, 31 * number + before);
    }
  }

  /** By the communicator of the first rank, however its group is said. */
  private static Map<Integer, Fingerprint> fingerprints(RankClass each, RankGroups job) {
    Map<Integer, Fingerprint> prints = new HashMap<>();
    int first = each.ranks().first();
    int issued = 0;
    for (Node node : each.graph().nodes()) {
      if (node instanceof Node.Collective collective) {
        Group group = collective.group();
        int communicator = job.id(group, first);
        Fingerprint print = prints.getOrDefault(communicator, new Fingerprint(group, 1));
        prints.put(communicator, print.and(issued++));
      }
    }
    return prints;
  }

  private void compare(int communicator, int print) {
    Integer other = prints.putIfAbsent(communicator, print);
    if (other != null && other != print) {
      mismatched.add(communicator);
    }
  }

  /** The network, cut along the groups. */
  Fabric fabric() {
    return fabric;
  }

  /** All communicators, numbered as they are met. */
  GroupTable communicators() {
    return communicators;
  }

  /** By dimension, whether members differ in it; empty if the communicator is to be listed. */
  Optional<List<Boolean>> dimensions(int communicator) {
    return any && !mismatched.contains(communicator)
        ? fabric.involved(communicators.members(communicator))
        : Optional.empty();
  }
}
