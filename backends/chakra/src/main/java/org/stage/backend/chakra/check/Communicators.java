package org.stage.backend.chakra.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.BoolList;

/**
 * The communicators of a trace set. Two ids with the same members are two communicators, as the
 * simulator counts the collectives of each on its own.
 */
final class Communicators {
  /** One of them. */
  static final class Communicator {
    private final String name;
    private final int[] members;

    Communicator(String name, int[] members) {
      this.name = name;
      this.members = Arrays.stream(members).sorted().toArray();
    }

    /** What messages call it. */
    String name() {
      return name;
    }

    /** Ascending. */
    int[] members() {
      return members;
    }

    boolean has(int rank) {
      return Arrays.binarySearch(members, rank) >= 0;
    }
  }

  private final Map<String, Communicator> byId = new TreeMap<>();
  private final Map<String, Integer> indices = new HashMap<>();
  private final List<Communicator> used = new ArrayList<>();
  private final Communicator all;
  private final int[] dimensions;

  /**
   * Those of a set.
   *
   * @param groups members by id as written
   * @param ranks number of ranks
   * @param dimensions sizes of the network's dimensions, innermost first; empty if unknown
   */
  Communicators(Map<String, int[]> groups, int ranks, int[] dimensions) {
    groups.forEach((id, members) -> byId.put(id, new Communicator("group " + id, members)));
    this.all = new Communicator("all ranks", IntStream.range(0, ranks).toArray());
    this.dimensions = dimensions;
  }

  /** The communicator of that id; null if there is none. Without an id, or with 0: all ranks. */
  @Nullable Communicator byId(String id) {
    return id.isEmpty() || id.matches("0+") ? all : byId.get(id);
  }

  /** The ranks that differ from {@code rank} in some dimensions only; null if those are unknown. */
  @Nullable Communicator byDimensions(int rank, BoolList involved) {
    if (involved.getValuesList().stream().allMatch(each -> each)) {
      return all;
    }
    if (dimensions.length == 0) {
      return null;
    }
    int[] members = {rank};
    int stride = 1;
    for (int i = 0; i < dimensions.length; i++) {
      if (i >= involved.getValuesCount() || involved.getValues(i)) {
        members = spread(members, stride, dimensions[i]);
      }
      stride *= dimensions[i];
    }
    int lowest = Arrays.stream(members).min().orElse(rank);
    String name = "dimensions " + involved.getValuesList() + " from rank " + lowest;
    return new Communicator(name, members);
  }

  /** The number under which a communicator is used from now on. */
  int index(Communicator communicator) {
    return indices.computeIfAbsent(
        communicator.name(),
        name -> {
          used.add(communicator);
          return used.size() - 1;
        });
  }

  /** Ids of groups that have the same members as another, with the other's. */
  Map<String, String> twins() {
    Map<List<Integer>, String> first = new HashMap<>();
    Map<String, String> twins = new TreeMap<>();
    byId.forEach(
        (id, group) -> {
          String other = first.putIfAbsent(Arrays.stream(group.members()).boxed().toList(), id);
          if (other != null) {
            twins.put(id, other);
          }
        });
    return twins;
  }

  /** The communicators in use. */
  List<Communicator> used() {
    return used;
  }

  private static int[] spread(int[] ranks, int stride, int size) {
    return Arrays.stream(ranks)
        .flatMap(
            rank ->
                IntStream.range(0, size)
                    .map(there -> rank + (there - rank / stride % size) * stride))
        .toArray();
  }
}
