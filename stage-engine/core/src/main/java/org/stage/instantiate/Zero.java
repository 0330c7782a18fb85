package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.api.graph.Element;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective.Kind;
import org.stage.api.workload.SubAxis;
import org.stage.arithmetic.Sums;

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
  /**
   * Adds sharding to the reductions that placements ask for.
   *
   * @param inside those inside a replica
   * @param replicas those over replicas
   * @param parameters elements of each parameter on this device
   * @param regathered whether stage 3 gathers them again for backward
   */
  Exchange exchange(
      List<Sync> inside,
      List<Sync> replicas,
      Map<String, Long> parameters,
      Numbers numbers,
      boolean regathered) {
    List<Sync> last = new ArrayList<>(inside);
    if (stage == 0 || replicas.isEmpty()) {
      replicas.forEach(sync -> cut(sync, parameters, 1).forEach(last::add));
      return new Exchange(
          List.of(), last, List.of(), List.of(), List.of(), Sums.of(parameters.values()), false);
    }
    List<Sync> each = new ArrayList<>();
    if (stage >= 2) {
      // What is scattered in every micro-batch is reduced on its shard.
      last.removeIf(within -> replicas.stream().anyMatch(sync -> isWithin(within, sync)));
    }
    List<Sync> gathers = new ArrayList<>();
    long shard = Sums.of(parameters.values());
    for (int buffer = 0; buffer < replicas.size(); buffer++) {
      Sync sync = replicas.get(buffer);
      Group sharers = sharers(sync.group());
      long part = shard(sync.elements(), sharers.size());
      shard = Math.addExact(shard, part - sync.elements());
      long padded = Math.multiplyExact(part, sharers.size());
      Sync scatter = on(sync, Kind.REDUCE_SCATTER, padded, sharers, buffer);
      if (stage >= 2) {
        each.add(scatter);
        for (Sync within : inside) {
          last.addAll(onShard(within, sync, parameters, sharers.size(), buffer));
        }
      } else {
        cut(scatter, parameters, sharers.size()).forEach(last::add);
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
        Sums.of(
            within.parameters().stream()
                .filter(scattered.parameters()::contains)
                .mapToLong(name -> shard(parameters.getOrDefault(name, 0L), parts)));
    return elements == 0 ? List.of() : List.of(shardSync(within, elements, within.group(), buffer));
  }

  private static Sync shardSync(Sync sync, long elements, Group group, int buffer) {
    return new Sync(
        Kind.ALL_REDUCE, elements, sync.type(), group, Sync.Of.GRADIENT_SHARD, List.of(), buffer);
  }

  /**
   * Cuts a reduction into buckets of the flat buffer, each with the parameters that reach into it.
   *
   * @param multiple what the size of a bucket must be a multiple of
   */
  Stream<Sync> cut(Sync sync, Map<String, Long> parameters, int multiple) {
    long size = bucket / multiple * multiple;
    if (size <= 0 || sync.elements() <= size) {
      return Stream.of(sync);
    }
    List<Sync> cut = new ArrayList<>();
    long to;
    for (long from = 0; from < sync.elements(); from = to) {
      to = from + Math.min(size, sync.elements() - from);
      List<String> within = new ArrayList<>();
      long start = 0;
      for (String name : sync.parameters()) {
        long end = Math.addExact(start, parameters.getOrDefault(name, 0L));
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

  private static boolean isWithin(Sync within, Sync sync) {
    return within.parameters().stream().anyMatch(sync.parameters()::contains);
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
    return Math.addExact(elements, parts - 1) / parts;
  }
}
