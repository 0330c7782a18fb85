package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param shards ranks that share one copy of dense parameters
 * @param degree ranks that hold a copy of dense parameters: data-, context- and expert-parallel
 *     ones
 * @param bucket most elements of gradients in one collective; 0 without bound
 */
record Zero(int stage, int shards, int degree, long bucket) {
  private static final List<String> REPLICAS = List.of("dp", "cp", "ep");

  /**
   * Adds sharding to the reductions that placements ask for.
   *
   * @param syncs those inside a model replica first, those over its replicas last
   * @param parameters elements of each parameter on this device
   * @param regathered whether stage 3 gathers them again for backward
   */
  Exchange exchange(
      List<Sync> syncs, Map<String, Long> parameters, Numbers numbers, boolean regathered) {
    List<Sync> replicas = syncs.stream().filter(Zero::isReplicas).toList();
    if (stage == 0 || replicas.isEmpty()) {
      List<Sync> last = syncs.stream().flatMap(sync -> buckets(sync, parameters, 1)).toList();
      return new Exchange(List.of(), last, List.of(), List.of(), List.of(), sum(parameters), false);
    }
    List<Sync> inside = syncs.stream().filter(sync -> !isReplicas(sync)).toList();
    List<Sync> each = new ArrayList<>();
    List<Sync> last = new ArrayList<>(stage >= 2 ? List.of() : inside);
    List<Sync> gathers = new ArrayList<>();
    long shard = sum(parameters);
    for (int buffer = 0; buffer < replicas.size(); buffer++) {
      Sync sync = replicas.get(buffer);
      Group sharers = sharers(sync.group());
      long part = shard(sync.elements(), sharers.size());
      shard += part - sync.elements();
      Sync scatter = on(sync, Kind.REDUCE_SCATTER, part * sharers.size(), sharers, buffer);
      if (stage >= 2) {
        each.add(scatter);
        for (Sync within : inside) {
          last.addAll(onShard(within, sync, parameters, sharers.size(), buffer));
        }
      } else {
        buckets(scatter, parameters, sharers.size()).forEach(last::add);
      }
      if (sharers.size() < sync.group().size()) {
        Group copies = new Group.Along(List.of(new SubAxis("dp", 1, degree / shards)));
        last.add(shardSync(sync, part, copies, buffer));
      }
      gathers.add(gather(sync, part, sharers, buffer, numbers));
    }
    boolean sharded = stage == 3;
    return new Exchange(
        each,
        last,
        sharded ? gathers : List.of(),
        sharded && regathered ? gathers : List.of(),
        sharded ? List.of() : gathers,
        shard,
        stage >= 2);
  }

  private static Sync gather(Sync sync, long part, Group sharers, int buffer, Numbers numbers) {
    return new Sync(
        Kind.ALL_GATHER,
        part,
        numbers.type(Element.WEIGHT),
        sharers,
        Sync.Of.PARAMETER_SHARD,
        sync.parameters(),
        buffer);
  }

  private static long sum(Map<String, Long> parameters) {
    return parameters.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Sync on(Sync sync, Kind kind, long elements, Group group, int buffer) {
    return new Sync(
        kind, elements, sync.type(), group, Sync.Of.GRADIENTS_TO_SHARD, sync.parameters(), buffer);
  }

  /**
   * Sums commute: what is partial over other ranks too, and is scattered in every micro-batch, is
   * reduced over those once, on its shard.
   */
  private static List<Sync> onShard(
      Sync within, Sync scattered, Map<String, Long> parameters, int parts, int buffer) {
    long elements =
        within.parameters().stream()
            .filter(scattered.parameters()::contains)
            .mapToLong(name -> shard(parameters.getOrDefault(name, 0L), parts))
            .sum();
    return elements == 0 ? List.of() : List.of(shardSync(within, elements, within.group(), buffer));
  }

  private static Sync shardSync(Sync sync, long elements, Group group, int buffer) {
    return new Sync(
        Kind.ALL_REDUCE, elements, sync.type(), group, Sync.Of.GRADIENT_SHARD, List.of(), buffer);
  }

  /**
   * Cuts a reduction over data-parallel ranks into buckets of the flat buffer, each with the
   * parameters that reach into it.
   *
   * @param multiple what the size of a bucket must be a multiple of
   */
  private Stream<Sync> buckets(Sync sync, Map<String, Long> parameters, int multiple) {
    return isReplicas(sync) ? cut(sync, parameters, multiple) : Stream.of(sync);
  }

  /** The same whatever it is over. */
  Stream<Sync> cut(Sync sync, Map<String, Long> parameters, int multiple) {
    long size = bucket / multiple * multiple;
    if (size <= 0 || sync.elements() <= size) {
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
      cut.add(
          new Sync(
              sync.kind(), to - from, sync.type(), sync.group(), sync.of(), within, sync.buffer()));
    }
    return cut.stream();
  }

  private static boolean isReplicas(Sync sync) {
    return REPLICAS.containsAll(List.of(sync.group().axisNames().split("\\+")));
  }

  /**
   * All ranks that hold a copy; or, in hybrid sharding, neighbours among the data-parallel ones.
   */
  private Group sharers(Group all) {
    return shards == degree
        ? all
        : new Group.Along(List.of(new SubAxis("dp", degree / shards, shards)));
  }

  /** A rank's part of dense {@code elements}, padded to a multiple of the shards. */
  long shard(long elements) {
    return shard(elements, shards);
  }

  private static long shard(long elements, int parts) {
    return (elements + parts - 1) / parts;
  }
}
