package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.stage.api.graph.Element;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective.Kind;
import org.stage.api.workload.SubAxis;

/**
 * How optimizer states, gradients and parameters are sharded over data-parallel ranks (ZeRO, arXiv
 * 1910.02054): stage 1 shards optimizer states, 2 also gradients, 3 also parameters. In hybrid
 * sharding the shards lie within groups of neighbouring data-parallel ranks, and are replicated
 * across groups.
 *
 * <p>The gradients of a module are one flat buffer, padded to a multiple of the shards. Stage 1
 * scatters them once per step. Stages 2 and 3 scatter those of every micro-batch and add up shards,
 * as whole gradients would not fit where stage 2 is wanted.
 *
 * @param stage 0 to 3
 * @param shards ranks that share one copy; 1 where there is nothing to share
 * @param degree data-parallel ranks
 * @param bucket most elements of gradients in one collective; 0 without bound
 */
record Zero(int stage, int shards, int degree, long bucket) {
  /**
   * Adds sharding to the reductions that placements ask for; the one over {@code dp} comes last.
   */
  Exchange exchange(
      List<Sync> syncs, Map<String, Long> parameters, Numbers numbers, boolean regathered) {
    long elements = parameters.values().stream().mapToLong(Long::longValue).sum();
    if (stage == 0 || shards == 1 || elements == 0) {
      return new Exchange(
          List.of(),
          syncs.stream().flatMap(sync -> buckets(sync, parameters, 1)).toList(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          elements,
          false);
    }
    List<Sync> inside = syncs.stream().filter(sync -> !isReplicas(sync)).toList();
    long shard = shard(elements);
    Group all = syncs.stream().filter(Zero::isReplicas).map(Sync::group).findFirst().orElseThrow();
    Sync scatter =
        new Sync(
            Kind.REDUCE_SCATTER,
            Math.multiplyExact(shard, (long) shards),
            numbers.type(Element.GRADIENT),
            sharers(all),
            Sync.Of.GRADIENTS_TO_SHARD,
            List.copyOf(parameters.keySet()));
    boolean each = stage >= 2;
    List<Sync> last = new ArrayList<>();
    if (each) {
      // Sums commute: what is partial over tensor-parallel ranks too is reduced once, on the
      // shards.
      inside.forEach(sync -> last.add(onShard(sync, parameters)));
    } else {
      last.addAll(inside);
      buckets(scatter, parameters, shards).forEach(last::add);
    }
    if (shards < degree) {
      last.add(
          new Sync(
              Kind.ALL_REDUCE,
              shard,
              numbers.type(Element.GRADIENT),
              new Group.Along(List.of(new SubAxis("dp", 1, degree / shards))),
              Sync.Of.GRADIENT_SHARD,
              List.of()));
    }
    Sync gather =
        new Sync(
            Kind.ALL_GATHER,
            shard,
            numbers.type(Element.WEIGHT),
            sharers(all),
            Sync.Of.PARAMETER_SHARD,
            List.of());
    boolean sharded = stage == 3;
    return new Exchange(
        each ? List.of(scatter) : List.of(),
        last,
        sharded ? Optional.of(gather) : Optional.empty(),
        sharded && regathered ? Optional.of(gather) : Optional.empty(),
        sharded ? Optional.empty() : Optional.of(gather),
        shard,
        each);
  }

  /**
   * Cuts a reduction over data-parallel ranks into buckets of the flat buffer, each with the
   * parameters that reach into it.
   *
   * @param multiple what the size of a bucket must be a multiple of
   */
  private Stream<Sync> buckets(Sync sync, Map<String, Long> parameters, int multiple) {
    long size = bucket / multiple * multiple;
    if (!isReplicas(sync) || size <= 0 || sync.elements() <= size) {
      return Stream.of(sync);
    }
    List<Sync> cut = new ArrayList<>();
    for (long from = 0; from < sync.elements(); from += size) {
      long to = Math.min(from + size, sync.elements());
      List<String> within = new ArrayList<>();
      long start = 0;
      for (String name : sync.parameters()) {
        long end = start + parameters.getOrDefault(name, 0L);
        if (start < to && end > from) {
          within.add(name);
        }
        start = end;
      }
      cut.add(new Sync(sync.kind(), to - from, sync.type(), sync.group(), sync.of(), within));
    }
    return cut.stream();
  }

  private static boolean isReplicas(Sync sync) {
    return List.of("dp", "cp").containsAll(List.of(sync.group().axisNames().split("\\+")));
  }

  /**
   * All ranks that hold a copy; or, in hybrid sharding, neighbours among the data-parallel ones.
   */
  private Group sharers(Group all) {
    return shards == degree
        ? all
        : new Group.Along(List.of(new SubAxis("dp", degree / shards, shards)));
  }

  private Sync onShard(Sync sync, Map<String, Long> parameters) {
    long elements =
        sync.parameters().stream()
            .mapToLong(name -> shard(parameters.getOrDefault(name, 0L)))
            .sum();
    return new Sync(
        sync.kind(), elements, sync.type(), sync.group(), Sync.Of.GRADIENT_SHARD, List.of());
  }

  /** A rank's part of {@code elements}, padded to a multiple of the shards. */
  long shard(long elements) {
    return (elements + shards - 1) / shards;
  }
}
