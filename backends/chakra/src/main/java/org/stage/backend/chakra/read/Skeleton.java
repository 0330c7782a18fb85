package org.stage.backend.chakra.read;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.stage.backend.chakra.format.proto.Node;

/**
 * The ids and dependencies of one rank's nodes, and the order of issue: of the nodes that are
 * ready, the simulator takes the one of the lowest id. Arrays, as there are millions of nodes.
 */
final class Skeleton {
  /** No node has that id. */
  static final int NONE = -1;

  private long[] ids = new long[256];
  private int[] depStart = new int[257];
  private long[] deps = new long[512];
  private int nodes;
  private boolean ascending = true;

  /** Nodes in the order of their ids; empty if that is the order in which they stand. */
  private int[] byId = new int[0];

  void add(Node node) {
    if (nodes == ids.length) {
      ids = Arrays.copyOf(ids, 2 * nodes);
      depStart = Arrays.copyOf(depStart, 2 * nodes + 1);
    }
    ids[nodes] = node.getId();
    ascending &= nodes == 0 || Long.compareUnsigned(ids[nodes - 1], ids[nodes]) < 0;
    int end = depStart[nodes];
    int count = node.getDataDepsCount() + node.getCtrlDepsCount();
    if (deps.length < end + count) {
      deps = Arrays.copyOf(deps, Math.max(2 * deps.length, end + count));
    }
    for (int i = 0; i < node.getDataDepsCount(); i++) {
      deps[end++] = node.getDataDeps(i);
    }
    for (int i = 0; i < node.getCtrlDepsCount(); i++) {
      deps[end++] = node.getCtrlDeps(i);
    }
    depStart[++nodes] = end;
  }

  int nodes() {
    return nodes;
  }

  long id(int node) {
    return ids[node];
  }

  /** Ends the adding; returns a node whose id another has too, or {@link #NONE}. */
  int index() {
    if (ascending) {
      return NONE;
    }
    byId =
        IntStream.range(0, nodes)
            .boxed()
            .sorted((a, b) -> Long.compareUnsigned(ids[a], ids[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 1; i < nodes; i++) {
      if (ids[byId[i - 1]] == ids[byId[i]]) {
        return byId[i];
      }
    }
    return NONE;
  }

  /** Whether each node stands behind those of lower ids, and behind what it depends on. */
  boolean ordered() {
    if (!ascending) {
      return false;
    }
    for (int node = 0; node < nodes; node++) {
      for (int i = depStart[node]; i < depStart[node + 1]; i++) {
        if (find(deps[i]) >= node) {
          return false;
        }
      }
    }
    return true;
  }

  /** The node of that id among those added, or {@link #NONE}. */
  int find(long id) {
    int low = 0;
    int high = nodes - 1;
    if (ascending && nodes > 0) {
      // mostly, ids count on
      long guess = id - ids[0];
      if (guess >= 0 && guess < nodes && ids[(int) guess] == id) {
        return (int) guess;
      }
    }
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(ids[nth(middle)], id);
      if (order == 0) {
        return nth(middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return NONE;
  }

  private int nth(int place) {
    return ascending ? place : byId[place];
  }

  /** How many dependencies name a node that is not there. */
  int dangling() {
    int count = 0;
    for (int i = 0; i < depStart[nodes]; i++) {
      count += find(deps[i]) == NONE ? 1 : 0;
    }
    return count;
  }

  /**
   * The nodes in the order of issue; those that wait for themselves, and for those, are left out.
   */
  int[] order() {
    int[] waiting = new int[nodes];
    int[] childStart = new int[nodes + 1];
    int[] resolved = new int[depStart[nodes]];
    for (int node = 0; node < nodes; node++) {
      for (int i = depStart[node]; i < depStart[node + 1]; i++) {
        resolved[i] = find(deps[i]);
        if (resolved[i] != NONE) {
          waiting[node]++;
          childStart[resolved[i] + 1]++;
        }
      }
    }
    for (int node = 0; node < nodes; node++) {
      childStart[node + 1] += childStart[node];
    }
    int[] children = new int[childStart[nodes]];
    int[] next = childStart.clone();
    for (int node = 0; node < nodes; node++) {
      for (int i = depStart[node]; i < depStart[node + 1]; i++) {
        if (resolved[i] != NONE) {
          children[next[resolved[i]]++] = node;
        }
      }
    }
    return issue(waiting, childStart, children);
  }

  private int[] issue(int[] waiting, int[] childStart, int[] children) {
    int[] rank = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      rank[nth(i)] = i;
    }
    // a heap of places in the order of ids, which are plain integers
    IntHeap ready = new IntHeap(nodes);
    for (int node = 0; node < nodes; node++) {
      if (waiting[node] == 0) {
        ready.add(rank[node]);
      }
    }
    int[] order = new int[nodes];
    int done = 0;
    while (!ready.isEmpty()) {
      int node = nth(ready.poll());
      order[done++] = node;
      for (int i = childStart[node]; i < childStart[node + 1]; i++) {
        if (--waiting[children[i]] == 0) {
          ready.add(rank[children[i]]);
        }
      }
    }
    return Arrays.copyOf(order, done);
  }
}
