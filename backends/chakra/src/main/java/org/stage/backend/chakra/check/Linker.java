package org.stage.backend.chakra.check;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Faults;

/** Joins the nodes of one rank by their dependencies, and puts them in the order of their issue. */
final class Linker {
  private static final int MISSING = -1;

  private final int rank;
  private final Path file;
  private final Draft draft;
  private final Names names;
  private final Faults faults;
  private final long[] sortedIds;
  private final int[] sortedNodes;
  private final int[] deps;

  Linker(int rank, Path file, Draft draft, SetContext set) {
    this.rank = rank;
    this.file = file;
    this.draft = draft;
    this.names = set.names();
    this.faults = set.faults();
    this.sortedNodes = sortById();
    this.sortedIds = Arrays.stream(sortedNodes).mapToLong(node -> draft.ids[node]).toArray();
    this.deps = new int[draft.depStart[draft.nodes]];
  }

  /** The joined trace; null if that is not possible, which is then among the faults. */
  @Nullable RankTrace link() {
    boolean unique = checkUnique();
    boolean sound = resolve() && unique;
    if (!sound) {
      return null;
    }
    int[] order = order();
    if (order.length < draft.nodes) {
      reportCycle(order);
      return null;
    }
    return arrange(order);
  }

  /** Ids are unsigned; most files have them in order already. */
  private int[] sortById() {
    boolean sorted =
        IntStream.range(1, draft.nodes)
            .allMatch(i -> Long.compareUnsigned(draft.ids[i - 1], draft.ids[i]) <= 0);
    IntStream nodes = IntStream.range(0, draft.nodes);
    return sorted
        ? nodes.toArray()
        : nodes
            .boxed()
            .sorted((a, b) -> Long.compareUnsigned(draft.ids[a], draft.ids[b]))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  private boolean checkUnique() {
    boolean unique = true;
    for (int i = 1; i < sortedIds.length; i++) {
      if (sortedIds[i] == sortedIds[i - 1]) {
        fault(
            sortedIds[i], "has the id of another node, of which one is lost", "Number them anew.");
        unique = false;
      }
    }
    return unique;
  }

  private boolean resolve() {
    boolean complete = true;
    for (int node = 0; node < draft.nodes; node++) {
      for (int i = draft.depStart[node]; i < draft.depStart[node + 1]; i++) {
        deps[i] = find(draft.deps[i]);
        if (deps[i] == MISSING) {
          String missing = Long.toUnsignedString(draft.deps[i]);
          fault(draft.ids[node], "depends on the missing node " + missing, "Drop the dependency.");
          complete = false;
        }
      }
    }
    return complete;
  }

  private int find(long id) {
    int low = 0;
    int high = sortedIds.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(sortedIds[middle], id);
      if (order == 0) {
        return sortedNodes[middle];
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return MISSING;
  }

  /** The order of issue if no node took time: of those that are ready, the lowest id. */
  private int[] order() {
    if (ascends()) {
      return sortedNodes;
    }
    faults.warning(
        file.toString(),
        "some nodes depend on a node with a higher id",
        "Ids in the order of issue are safer: among ready nodes, the simulator takes the lowest.");
    Adjacency children = Adjacency.reversed(draft.nodes, draft.depStart, deps);
    int[] waiting = new int[draft.nodes];
    PriorityQueue<Integer> ready =
        new PriorityQueue<>(
            Comparator.comparing((Integer node) -> draft.ids[node], Long::compareUnsigned));
    for (int node = 0; node < draft.nodes; node++) {
      waiting[node] = draft.depStart[node + 1] - draft.depStart[node];
      if (waiting[node] == 0) {
        ready.add(node);
      }
    }
    int[] order = new int[draft.nodes];
    int done = 0;
    for (Integer node = ready.poll(); node != null; node = ready.poll()) {
      order[done++] = node;
      children.forEach(
          node,
          child -> {
            if (--waiting[child] == 0) {
              ready.add(child);
            }
          });
    }
    return Arrays.copyOf(order, done);
  }

  private boolean ascends() {
    for (int node = 0; node < draft.nodes; node++) {
      for (int i = draft.depStart[node]; i < draft.depStart[node + 1]; i++) {
        if (Long.compareUnsigned(draft.ids[deps[i]], draft.ids[node]) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  private void reportCycle(int[] ordered) {
    boolean[] runs = new boolean[draft.nodes];
    Arrays.stream(ordered).forEach(node -> runs[node] = true);
    int stuck = IntStream.range(0, draft.nodes).filter(node -> !runs[node]).findFirst().orElse(0);
    // Going back along what does not run must come round to a node of the cycle.
    for (int step = 0; step < draft.nodes; step++) {
      for (int i = draft.depStart[stuck]; i < draft.depStart[stuck + 1]; i++) {
        if (!runs[deps[i]]) {
          stuck = deps[i];
          break;
        }
      }
    }
    fault(
        draft.ids[stuck],
        "depends on itself through others; "
            + (draft.nodes - ordered.length)
            + " nodes would be left out",
        "Break the cycle of dependencies.");
  }

  private RankTrace arrange(int[] order) {
    int nodes = draft.nodes;
    int[] place = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      place[order[i]] = i;
    }
    long[] ids = new long[nodes];
    byte[] types = new byte[nodes];
    int[] codes = new int[nodes];
    long[] bytes = new long[nodes];
    int[] partners = new int[nodes];
    int[] start = new int[nodes + 1];
    int[] placed = new int[deps.length];
    for (int i = 0; i < nodes; i++) {
      int node = order[i];
      ids[i] = draft.ids[node];
      types[i] = draft.types[node];
      codes[i] = draft.codes[node];
      bytes[i] = draft.bytes[node];
      partners[i] = draft.partners[node];
      start[i + 1] = start[i];
      for (int d = draft.depStart[node]; d < draft.depStart[node + 1]; d++) {
        placed[start[i + 1]++] = place[deps[d]];
      }
    }
    return new RankTrace(
        rank, file, new Structure(ids, types, start, placed, codes, bytes), partners, names);
  }

  private void fault(long id, String problem, String remedy) {
    faults.error(At.node(file, id, names.of(file, id)), problem, remedy);
  }
}
